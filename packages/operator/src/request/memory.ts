import type { RequestOutcome, RequestReport } from '@cro/state-machines';
import { Told } from '../report/told.ts';

/** A wait that was decided on. It ends when what it was decided on changes, or with its time. */
export interface Pause {
  readonly key: string;
  readonly untilMs: number;
  readonly report: RequestReport;
}

/** What this process knows of a request beyond the cluster. All of it may be lost. */
export interface RequestMemory {
  readonly uid: string;
  outcome: RequestOutcome | undefined;
  /** Generation of the spec that `outcome` is about. */
  plannedFor: number | undefined;
  pause: Pause | undefined;
  /** Something outside of the object's own facts changed since its last request began: the outcome may be of yesterday. */
  overtaken: boolean;
  tries: number;
  /** When its status was written last, on the monotonic clock. */
  lastSaveMs: number;
  /** The failure that was told last, until the request moves on. */
  readonly told: Told;
}

/** Nothing is known yet. */
export function freshMemory(uid: string): RequestMemory {
  return {
    uid,
    outcome: undefined,
    plannedFor: undefined,
    pause: undefined,
    overtaken: false,
    tries: 0,
    lastSaveMs: -Infinity,
    told: new Told(),
  };
}
