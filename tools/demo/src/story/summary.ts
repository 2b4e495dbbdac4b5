import type { CallCounts } from '@cro/fabric-sim';
import type { ApiCounts } from '../world/api-counts.ts';
import type { StoryOutcome } from './story.ts';

/** What the summary tells of. */
export interface SummaryFacts {
  readonly outcome: StoryOutcome;
  readonly calls: CallCounts;
  readonly api: ApiCounts;
  readonly logPath: string;
}

/** The end of the story in figures, or what went wrong and where to look. */
export function summary({ outcome, calls, api, logPath }: SummaryFacts): string {
  const rows = outcome.times.map(({ title, ms, fabricMs }) => {
    return `  ${seconds(ms)}  ${seconds(fabricMs)}  ${title}`;
  });
  const { attach, detach, get, list, inventory, poll, token } = calls;
  const figures = [
    '',
    '     took    fabric  step',
    ...rows,
    '',
    `  fabric calls: ${attach} attach, ${detach} detach, ${get + list + inventory + poll} reads, ${token} token`,
    `  API calls of the operator: ${api.writes} writes, ${api.reads} reads, ${api.watches} watches, ${api.leases} lease writes`,
    '',
  ];
  return `${[...figures, ...ending(outcome, logPath)].join('\n')}\n`;
}

function ending(outcome: StoryOutcome, logPath: string): readonly string[] {
  switch (outcome.tag) {
    case 'right':
      return ['The story came out right.'];
    case 'wrong':
      return [`The story went wrong in "${outcome.step}":`, `  ${outcome.reason}`, `The operator's log: ${logPath}`];
    default:
      return outcome satisfies never;
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2).padStart(6)} s`;
}
