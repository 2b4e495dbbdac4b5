import type { Clock } from '@cro/clock';

/** What decides how much memory V8 takes, and what is measured. */
export interface Heap {
  /** The share of the time since the last call in which the event loop ran code, 0 to 1. */
  readonly busyShare: () => number;
  /** Bytes that V8 holds for new objects. */
  readonly youngBytes: () => number;
  /** Sets a flag of V8. */
  readonly set: (flag: string) => void;
}

const LOOK_MS = 250;
const BUSY_SHARE = 0.6;
const BUSY_LOOKS = 3;
const CALM_SHARE = 0.1;
const CALM_LOOKS = 40;
/** Twice what one collection goes over: new objects lie in one half while the other is empty. */
const MOST_YOUNG_BYTES = 32 * 1024 * 1024;

const GROW = '--semi-space-growth-factor=2';
const KEEP = '--semi-space-growth-factor=1';

/** How V8 is told to go about memory. At rest: as little as possible, a little code and many small collections. */
export const AT_REST: readonly string[] = ['--optimize-for-size', KEEP];
const AT_WORK: readonly string[] = ['--no-optimize-for-size', GROW];

/**
 * Lets the heap follow the work: an operator at rest makes little garbage and shall take little memory, but with hundreds of
 * requests at once small collections take as long as the work itself. After ten calm seconds V8 gives back what it took. Ends
 * with the signal.
 */
export function heapFollowsWork({ busyShare, youngBytes, set }: Heap, clock: Clock, signal: AbortSignal): void {
  let state: 'rest' | 'growing' | 'grown' = 'rest';
  let busy = 0;
  let calm = 0;
  const to = (next: typeof state, flags: readonly string[]) => {
    state = next;
    flags.forEach(set);
  };
  const look = () => {
    const share = busyShare();
    busy = share > BUSY_SHARE ? busy + 1 : 0;
    calm = share < CALM_SHARE ? calm + 1 : 0;
    if (state === 'rest' && busy >= BUSY_LOOKS) to('growing', AT_WORK);
    else if (state !== 'rest' && calm >= CALM_LOOKS) to('rest', AT_REST);
    else if (state === 'growing' && youngBytes() >= MOST_YOUNG_BYTES) to('grown', [KEEP]);
    cancel = clock.after(LOOK_MS, look);
  };
  let cancel = clock.after(LOOK_MS, look);
  signal.addEventListener('abort', () => {
    cancel();
  });
}
