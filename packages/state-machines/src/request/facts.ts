import type { RequestState } from '@cro/crd-types';

/** All that the request machine may base a decision on. Finite, so that a test can visit every combination. */
export interface RequestFacts {
  readonly state: RequestState;
  /** `gone`: the object has a deletion timestamp. */
  readonly goal: 'present' | 'gone';
  readonly finalizer: boolean;
  /** Whether somebody else's finalizer holds the object too: it then lives on when ours goes. */
  readonly shared: boolean;
  readonly hold: 'none' | 'paused' | 'detached';
  /** The node named in `target_node`. `gone` is confirmed by a live read. */
  readonly target: 'unset' | 'present' | 'gone' | 'unknown';
  /** Whether the plan in status was made for the present spec. */
  readonly plan: 'none' | 'current' | 'outdated';
  /** Planned children that were never created. */
  readonly missing: 'none' | 'some';
  /** Planned children that were created and are gone or leaving, for whatever cause. */
  readonly lost: 'none' | 'some';
  /** Children that the plan does not name, and that nobody has deleted yet. */
  readonly extra: 'none' | 'some';
  /** Planned children, not leaving, that do not name the request as their owner: made by another operator, or changed by hand. */
  readonly unowned: 'none' | 'some';
  /** Whether all planned children are Online. */
  readonly online: 'all' | 'notAll';
  /** All children there are. `leaving`: every one of them is being deleted. */
  readonly children: 'none' | 'leaving' | 'some';
}

/** Texts that go into messages. No decision depends on them. */
export interface RequestWords {
  readonly targetNode: string;
  /** Who pauses the request, for one that is. */
  readonly pausedBy: string;
  readonly online: number;
  readonly planned: number;
  /** Error of a child, the first by name that has one; empty when none has. */
  readonly childError: string;
}
