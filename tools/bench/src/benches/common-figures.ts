import { atMost, exactly, type Figures } from '../figure.ts';
import type { Stall } from '../probe/stalls.ts';
import type { Counts } from '../scene/counts.ts';

/** What requests cost until they are Running. */
export function addCosts(figures: Figures, { apiWrites, fabricReads, attach, tokens }: Counts, devices: number): void {
  figures
    .add('API writes a device', apiWrites / devices, 'ratio', atMost(6))
    .add('attach calls a device', attach / devices, 'ratio', exactly(1))
    .add('fabric reads a device', fabricReads / devices, 'ratio')
    .add('token calls', tokens, 'count', atMost(1));
}

/** What it costs to give devices back. */
export function addReturnCosts(figures: Figures, counts: Counts, devices: number): void {
  figures
    .add('API writes a device', counts.apiWrites / devices, 'ratio', atMost(8))
    .add('detach calls a device', counts.detach / devices, 'ratio', exactly(1))
    .add('fabric reads a device', counts.fabricReads / devices, 'ratio')
    .add('token calls', counts.tokens, 'count', atMost(1));
}

/** The longest stall of the event loop during the work. `when` stands in front of the names. */
export function addStall(figures: Figures, { gapMs, cpuMs }: Stall, when = ''): Figures {
  return figures
    .add(`${when}longest stall of the event loop`, gapMs, 'ms', atMost(50))
    .add(`${when}CPU time used in that stall`, cpuMs, 'ms');
}
