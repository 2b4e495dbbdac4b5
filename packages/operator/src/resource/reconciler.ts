import type { ComposableResource } from '@cro/crd-types';
import type { ReconcileContext, ReconcileResult } from '@cro/kube-runtime';
import {
  resourceFacts,
  resourceStateOf,
  resourceWords,
  stepResource,
  type Again,
  type ResourceChange,
  type ResourceDecision,
  type ResourceFacts,
  type ResourceKnowledge,
  type ResourceWords,
} from '@cro/state-machines';
import type { Shortages } from '../request/shortages.ts';
import type { Services } from '../services.ts';
import { announce } from './announce.ts';
import { Memories, type ResourceMemory } from './memory.ts';
import { OVERTAKEN_MS } from '../cluster/object-patch.ts';
import { isOlder, lookLive } from './live.ts';
import { know } from './know.ts';
import { locationFor } from './location.ts';
import { Operations } from './operations.ts';
import { needsLane } from '../fabric/fabric.ts';
import { backoffMs } from '../report/backoff.ts';
import { fingerprint } from '../report/fingerprint.ts';
import { overtake, wasOvertaken } from '../report/overtaken.ts';
import { saveChange, type Saved } from './save.ts';

/** Saves that may follow each other in one pass; more than that is a fault of the machine. */
const MAX_STEPS = 12;
/** What is known of an object at one moment of a pass. */
interface Situation {
  readonly resource: ComposableResource;
  readonly memory: ResourceMemory;
  /** The outcome that was there to be decided on. */
  readonly outcome: ResourceMemory['outcome'];
  readonly known: ResourceKnowledge;
  readonly facts: ResourceFacts;
  readonly words: ResourceWords;
}

/** The interpreter of the resource machine: observes facts, asks the machine, performs what it decides, saves. */
export class ResourceReconciler {
  readonly #services: Services;
  readonly #memories: Memories;
  readonly #operations: Operations;

  constructor(services: Services, shortages: Shortages) {
    this.#services = services;
    this.#memories = new Memories((name, uid) => {
      services.lanes.release(uid);
      for (const { actions } of Object.values(services.nodeSides)) actions.forgetResource?.(name);
    });
    this.#operations = new Operations(services, shortages);
  }

  /** Starts nothing any more; what the fabric is at work on may end, and its outcome is saved. */
  stopStarting(): void {
    this.#operations.stopStarting();
    this.#memories.giveUpUnrecorded();
  }

  /** How many fabric and node operations are running, or have ended without a decision on their outcome. */
  get unsaved(): number {
    return this.#memories.unsaved;
  }

  /** Ends a wait that its object's own facts would not end. */
  freshen(name: string): void {
    const memory = this.#memories.find(name);
    if (memory !== undefined) overtake(memory);
  }

  /** One pass over one object. */
  async reconcile(name: string, context: ReconcileContext): Promise<ReconcileResult> {
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const resource = this.#services.caches.resources.get(name);
      if (resource === undefined) {
        this.#memories.forget(name);
        return { tag: 'done' };
      }
      const result = await this.#step(resource, context);
      if (result !== 'next') return result;
    }
    return { tag: 'failed', message: `${name} does not come to rest: ${MAX_STEPS} saves in one pass` };
  }

  async #step(resource: ComposableResource, context: ReconcileContext): Promise<ReconcileResult | 'next'> {
    const situation = this.#observe(resource);
    if (situation === undefined)
      return { tag: 'failed', message: `the composableResource state '${resource.status?.state ?? ''}' is invalid` };
    const { memory, facts, words } = situation;
    if (memory.mustSee !== undefined && isOlder(resource.metadata.resourceVersion, memory.mustSee)) {
      return { tag: 'again', afterMs: OVERTAKEN_MS };
    }
    memory.mustSee = undefined;
    const paused = memory.outcome === undefined ? this.#pausedMs(situation) : 0;
    if (paused > 0) return Number.isFinite(paused) ? { tag: 'again', afterMs: paused } : { tag: 'done' };
    if (memory.outdatedUntilMs > this.#services.clock.monotonic()) return this.#reportOutdated(situation, context);
    const { row, decision } = stepResource(facts, words, memory.outcome);
    const { known, outcome } = situation;
    this.#services.decided?.({ kind: 'resource', object: resource, known, ...(outcome && { outcome }), row, decision });
    const result = await this.#carryOut(decision, situation, { ...context, row });
    this.#releaseUnneededLane(resource, memory);
    return result;
  }

  #observe(resource: ComposableResource): Situation | undefined {
    const state = resourceStateOf(resource);
    if (state === undefined) return undefined;
    const { name, uid } = resource.metadata;
    const memory = this.#memories.of(name, uid);
    const known = know(resource, memory, this.#services);
    const observed = resourceFacts(resource, state, known);
    // A ticket that this process will not call the fabric for is closed: the next one need not find out what became of it.
    const unstarted = observed.ticket !== 'none' && observed.started === 'no';
    const facts = this.#operations.stopping && unstarted ? { ...observed, hold: 'paused' as const } : observed;
    if (facts.origin === 'inDoubt') this.#watchInherited(name, memory);
    return { resource, memory, outcome: memory.outcome, known, facts, words: resourceWords(resource, known) };
  }

  /** An object left in doubt by another operator is looked at again when its settle window ends. */
  #watchInherited(name: string, memory: ResourceMemory): void {
    if (memory.inheritedSinceMs !== undefined) return;
    const { clock, fabric, wake } = this.#services;
    memory.inheritedSinceMs = clock.monotonic();
    clock.after(fabric.settleMs, () => {
      wake.resource(name);
    });
  }

  /** How long the last decision still holds: the machine decided to wait, and nothing that it looks at has changed. */
  #pausedMs({ memory, facts, words }: Situation): number {
    if (memory.pause?.situation !== situationKey(facts, words)) return 0;
    return Math.max(0, memory.pause.untilMs - this.#services.clock.monotonic());
  }

  async #carryOut(
    decision: ResourceDecision,
    situation: Situation,
    context: ReconcileContext & { readonly row: string },
  ): Promise<ReconcileResult | 'next'> {
    const { resource, memory } = situation;
    switch (decision.tag) {
      case 'nothing':
        memory.outcome = undefined;
        return { tag: 'done' };
      case 'await':
        return { tag: 'done' };
      case 'abort':
        memory.running?.abort.abort();
        return { tag: 'done' };
      case 'request': {
        if (decision.change !== undefined) {
          const saved = await this.#save(decision.change, situation, context);
          if (saved.tag === 'saved') return 'next';
          if (saved.tag !== 'unchanged') return this.#unsaved(saved, situation);
        }
        memory.outcome = undefined;
        this.#operations.begin(decision.request, resource, memory);
        return { tag: 'done' };
      }
      case 'wait': {
        const saved = await this.#save({ tag: 'report', report: decision.report }, situation, context);
        if (saved.tag === 'saved' || saved.tag === 'unchanged') {
          // One that came in during the save was not decided on yet.
          if (memory.outcome === situation.outcome) memory.outcome = undefined;
          return this.#pause(saved.tag === 'saved' ? saved.object : resource, situation, decision.again);
        }
        return this.#unsaved(saved, situation);
      }
      case 'save': {
        const saved = await this.#save(decision.change, situation, context);
        if (saved.tag !== 'saved' && saved.tag !== 'unchanged') return this.#unsaved(saved, situation);
        memory.outcome = undefined;
        // Whether this try succeeds is not known yet: one that fails waits longer than the one before.
        if (decision.change.tag === 'openTicket') memory.unstartedTicket = decision.change.ticket.id;
        else if (decision.pause === undefined) memory.tries = 0;
        if (decision.pause === undefined) return 'next';
        return this.#pause(saved.tag === 'saved' ? saved.object : resource, situation, decision.pause);
      }
    }
  }

  /** The cluster did not keep what was decided last: that is told, and decided anew after a while. */
  async #reportOutdated(situation: Situation, context: ReconcileContext): Promise<ReconcileResult> {
    const { facts, memory } = situation;
    const message = this.#services.storedFields.problem;
    if (memory.running === undefined && message !== undefined) {
      const report = { state: facts.state, reason: 'Blocked', message, error: true } as const;
      const saved = await this.#save({ tag: 'report', report }, situation, { ...context, row: 'outdated CRD' });
      if (saved.tag === 'unknown' || saved.tag === 'failed') return this.#unsaved(saved, situation);
    }
    return { tag: 'again', afterMs: Math.max(1, memory.outdatedUntilMs - this.#services.clock.monotonic()) };
  }

  async #save(
    change: ResourceChange,
    situation: Situation,
    context: ReconcileContext & { readonly row: string },
  ): Promise<Saved> {
    const { resource, known } = situation;
    const saved = await saveChange(resource, change, {
      known,
      location: await locationFor(change, resource, situation.memory, this.#services, context.signal),
      services: this.#services,
    });
    if (saved.tag === 'saved') announce(resource, saved.object, context, situation.memory.told, this.#services);
    return saved;
  }

  /** A save that did not stand. The outcome that led to it is kept, so that nothing is asked of the fabric twice. */
  async #unsaved(
    saved: Exclude<Saved, { readonly tag: 'saved' | 'unchanged' }>,
    { resource, memory }: Situation,
  ): Promise<ReconcileResult> {
    switch (saved.tag) {
      case 'overtaken':
        return { tag: 'again', afterMs: OVERTAKEN_MS };
      case 'unknown':
        return lookLive(resource, memory, saved.message, this.#services);
      case 'outdatedCrd':
        memory.outcome = undefined;
        memory.outdatedUntilMs = this.#services.clock.monotonic() + this.#waitMs({ tag: 'backoff' }, memory);
        return { tag: 'again', afterMs: OVERTAKEN_MS };
      case 'failed':
        return { tag: 'failed', message: saved.message };
    }
  }

  /**
   * Waits, as long as the object is what was saved and its surroundings are what the decision was made on. What changed
   * while it was being saved does not fit that, and is looked at at once.
   */
  #pause(saved: ComposableResource, { memory, known }: Situation, again: Again): ReconcileResult {
    const state = resourceStateOf(saved);
    if (state === undefined) return { tag: 'done' };
    if (wasOvertaken(memory)) return { tag: 'again', afterMs: 1 };
    const waitMs = this.#waitMs(again, memory);
    const idle: ResourceKnowledge = { ...known, running: 'nothing' };
    const situation = situationKey(resourceFacts(saved, state, idle), resourceWords(saved, idle));
    memory.pause = { situation, untilMs: this.#services.clock.monotonic() + waitMs };
    return Number.isFinite(waitMs) ? { tag: 'again', afterMs: waitMs } : { tag: 'done' };
  }

  #waitMs(again: Again, memory: ResourceMemory): number {
    switch (again.tag) {
      case 'event':
        memory.tries = 0;
        return Infinity;
      case 'after':
        memory.tries = 0;
        return again.ms;
      case 'backoff': {
        const waitMs = backoffMs(memory.tries, this.#services.random, again.atLeastMs);
        memory.tries += 1;
        return waitMs;
      }
    }
  }

  /** The lane is needed from the beginning of a prepare to the end of its ticket, and at no other time. */
  #releaseUnneededLane(before: ComposableResource, memory: ResourceMemory): void {
    const resource = this.#services.caches.resources.get(before.metadata.name) ?? before;
    const inUse =
      memory.running !== undefined ||
      memory.outcome?.tag === 'ticket' ||
      needsLane(resource.status?.operation, this.#services.fabric);
    if (!inUse) this.#services.lanes.release(memory.uid);
  }
}

function situationKey(facts: ResourceFacts, words: ResourceWords): string {
  return fingerprint([facts, words]);
}
