import type { FabricLocation } from '@cro/crd-types';
import { Told } from '../report/told.ts';
import type { ResourceOutcome, ResourceRequest } from '@cro/state-machines';

/** A request that this process is performing for an object. */
export interface RunningRequest {
  readonly request: ResourceRequest;
  /** Waiting for its lane, and has been for a while. */
  queued: boolean;
  readonly abort: AbortController;
}

/** When to step again although the facts are the same. */
export interface Pause {
  /** The facts and words that the decision was made on. */
  readonly situation: string;
  /** On the monotonic clock; `Infinity`: only when the situation changes. */
  readonly untilMs: number;
}

/**
 * What this process knows of an object beyond the cluster and the fabric. All of it may be lost: whoever starts anew
 * finds out from the object's ticket what may have happened.
 */
export interface ResourceMemory {
  readonly uid: string;
  running: RunningRequest | undefined;
  /** How the last request ended, until a decision was made on it. */
  outcome: ResourceOutcome | undefined;
  pause: Pause | undefined;
  /** Something outside of the object's own facts changed since its last request began: the outcome may be of yesterday. */
  overtaken: boolean;
  /** Tries in a row that failed. */
  tries: number;
  /** The ticket that this process saved and has not called the fabric for. */
  unstartedTicket: string | undefined;
  /** Since when this process waits for what became of a ticket, on the monotonic clock. */
  doubt: { readonly ticket: string; readonly sinceMs: number } | undefined;
  /** Since when this process watches an object that another operator left in doubt, on the monotonic clock. */
  inheritedSinceMs: number | undefined;
  /** Where `locate` found the device, until it is recorded. */
  located: FabricLocation | undefined;
  /** The failure that was told last, until the object moves on. */
  readonly told: Told;
  /** Until when nothing is decided, as the CRD in the cluster dropped what was decided last; on the monotonic clock. */
  outdatedUntilMs: number;
  /** After a write with unknown outcome: nothing is done until the cache shows at least this version. */
  mustSee: string | undefined;
}

/** Memories by name of the object; one of another uid starts empty. */
export class Memories {
  readonly #byName = new Map<string, ResourceMemory>();
  readonly #ended: (name: string, uid: string) => void;

  /** `ended` is told when an object is gone, and what ran for it was given up: also where another one has its name already. */
  constructor(ended: (name: string, uid: string) => void) {
    this.#ended = ended;
  }

  /** The memory of an object. */
  of(name: string, uid: string): ResourceMemory {
    const present = this.#byName.get(name);
    if (present?.uid === uid) return present;
    this.forget(name);
    const fresh: ResourceMemory = {
      uid,
      running: undefined,
      outcome: undefined,
      pause: undefined,
      overtaken: false,
      tries: 0,
      unstartedTicket: undefined,
      doubt: undefined,
      inheritedSinceMs: undefined,
      located: undefined,
      told: new Told(),
      outdatedUntilMs: 0,
      mustSee: undefined,
    };
    this.#byName.set(name, fresh);
    return fresh;
  }

  /** Looks without making one. */
  find(name: string): ResourceMemory | undefined {
    return this.#byName.get(name);
  }

  /** The object is gone: whatever was running for it is of no use. */
  forget(name: string): void {
    const memory = this.#byName.get(name);
    if (memory === undefined) return;
    memory.running?.abort.abort();
    this.#byName.delete(name);
    this.#ended(name, memory.uid);
  }

  /** How many objects have a request running, or the outcome of one that no decision was made on. */
  get unsaved(): number {
    let count = 0;
    for (const { running, outcome } of this.#byName.values())
      if (running !== undefined || outcome !== undefined) count += 1;
    return count;
  }

  /** Gives up what runs and has no ticket, and what it led to: nothing was recorded for it. */
  giveUpUnrecorded(): void {
    for (const memory of this.#byName.values()) {
      if (memory.running !== undefined && !isOfTicket(memory.running.request)) memory.running.abort.abort();
      if (memory.outcome !== undefined && !isOfTicket(memory.outcome.request)) memory.outcome = undefined;
    }
  }
}

function isOfTicket(request: ResourceRequest): boolean {
  return request === 'start' || request === 'resume';
}
