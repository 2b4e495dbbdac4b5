import { expect, test } from 'vitest';
import type { ResourceFacts } from '../src/index.ts';
import {
  requestOutcomes,
  resourceDomain,
  resourceLife,
  resourceOutcomes,
  requestDomain,
  requestLife,
} from '../src/catalogue.ts';
import { anyRequestFacts, anyRequestWords } from './request/facts.ts';
import { anyFacts, anyWords } from './resource/facts.ts';

interface Report {
  readonly state: string;
  readonly reason: string;
  readonly message: string;
  readonly error: boolean;
}
interface Decision {
  readonly tag: string;
  readonly report?: Report;
  readonly change?: { readonly tag: string; readonly report?: Report };
}

/** Every sentence that a decision can put into a status, with the reason that stands beside it. */
function sentencesOf(decisions: readonly Decision[]): string {
  const sentences = decisions
    .flatMap(({ report, change }) => [report, change?.report])
    .flatMap((report) =>
      report === undefined ? [] : `${report.reason}${report.error ? ' (error)' : ''}: ${report.message}`,
    );
  return `${[...new Set(sentences)].sort().join('\n')}\n`;
}

// People and tools read these texts: a change of one is a change for them, and is to be seen in review.
test('what a ComposableResource says', async () => {
  const { state, goal, ticket, visible, health } = resourceDomain;
  const situations: Partial<ResourceFacts>[] = goal.flatMap((is) => [
    ...ticket.map((open) => ({ goal: is, ticket: open })),
    ...visible.map((seen) => ({ goal: is, visible: seen })),
    ...health.map((told) => ({ goal: is, health: told })),
  ]);
  const decisions = state.flatMap((from) =>
    resourceLife[from].flatMap(({ act }) =>
      situations.flatMap((facts) =>
        [undefined, ...resourceOutcomes].map((outcome) =>
          act({ ...anyFacts, state: from, ...facts }, anyWords, outcome),
        ),
      ),
    ),
  );
  await expect(sentencesOf(decisions)).toMatchFileSnapshot('./words/composable-resource.txt');
});

test('what a ComposabilityRequest says', async () => {
  const decisions = requestDomain.state.flatMap((state) =>
    requestLife[state].flatMap(({ act }) =>
      ['', 'a device fails'].flatMap((childError) =>
        [1, 2].flatMap((online) =>
          [undefined, ...requestOutcomes].map((outcome) =>
            act({ ...anyRequestFacts, state }, { ...anyRequestWords, online, childError }, outcome),
          ),
        ),
      ),
    ),
  );
  await expect(sentencesOf(decisions)).toMatchFileSnapshot('./words/composability-request.txt');
});
