export type { Cancel, Clock } from './clock.ts';
export { delay, reasonOf, startDeadline, type Deadline } from './deadline.ts';
export { systemClock } from './system-clock.ts';
