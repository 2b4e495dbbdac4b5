import { atMost, exactly, type Figures, type Goal } from '../figure.ts';
import type { Stall } from '../probe/stalls.ts';
import type { Counts } from '../scene/counts.ts';

/** Goals of what devices cost, where goals.md has some. */
export interface CostGoals {
  readonly apiWrites?: Goal;
  readonly tokens?: Goal;
}

/** Commands on its node that a device may cost on each way (goals.md). */
export const MOST_EXECS = { attach: 2, detach: 8 } as const;

/** What devices cost on their way there (`attach`) or back (`detach`): one change of the fabric each, and as little else as can be. */
export function addCosts(
  figures: Figures,
  way: 'attach' | 'detach',
  counts: Counts,
  devices: number,
  goals: CostGoals = {},
): void {
  figures
    .add('API writes a device', counts.apiWrites / devices, 'ratio', goals.apiWrites)
    .add(`${way} calls a device`, counts[way] / devices, 'ratio', exactly(1))
    .add('fabric reads a device', counts.fabricReads / devices, 'ratio')
    .add('token calls', counts.tokens, 'count', goals.tokens);
}

/** What devices cost their nodes on one way, where those answer. */
export function addExecs(figures: Figures, way: 'attach' | 'detach', counts: Counts, devices: number): void {
  figures
    .add('execs a device', counts.execs / devices, 'ratio', atMost(MOST_EXECS[way]))
    .add('restarts of kubelet plugins', counts.pluginRestarts, 'count');
}

/** The longest stall of the event loop during the work. `when` stands in front of the names. */
export function addStall(figures: Figures, { gapMs, cpuMs }: Stall, when = ''): Figures {
  return figures
    .add(`${when}longest stall of the event loop`, gapMs, 'ms', atMost(50))
    .add(`${when}longest stall in CPU time`, cpuMs, 'ms', atMost(50));
}
