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

/** The longest stall of the event loop during the work. */
export function addStall(figures: Figures, { gapMs, cpuMs }: Stall): Figures {
  return figures
    .add('longest stall of the event loop', gapMs, 'ms', atMost(50))
    .add('CPU time used in that stall', cpuMs, 'ms');
}
