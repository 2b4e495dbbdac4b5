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
  /** How often something outside of the request has ended its waits. */
  freshened: number;
  /** The same when `outcome` was asked for. */
  askedAt: number;
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
    freshened: 0,
    askedAt: 0,
    tries: 0,
    lastSaveMs: -Infinity,
    told: new Told(),
  };
}
