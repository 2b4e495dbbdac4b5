import { type ComposabilityRequest, type ComposableResource } from '@cro/crd-types';
import type { ReconcileContext, ReconcileResult, WriteOutcome } from '@cro/kube-runtime';
import {
  nextRequestStatus,
  requestFacts,
  requestStateOf,
  requestWords,
  stepRequest,
  type Again,
  type RequestChange,
  type RequestDecision,
  type RequestFacts,
  type RequestKnowledge,
  type RequestOutcome,
  type RequestReport,
  type RequestRequest,
  type RequestStatusChange,
  type RequestWords,
} from '@cro/state-machines';
import { isDeepStrictEqual } from 'node:util';
import { backoffMs } from '../report/backoff.ts';
import { fingerprint } from '../report/fingerprint.ts';
import { overtake, wasOvertaken } from '../report/overtaken.ts';
import { OVERTAKEN_MS } from '../cluster/object-patch.ts';
import type { Services } from '../services.ts';
import { announceRequest } from './announce.ts';
import { decidedOn } from '../decided.ts';
import { createChildren, deleteChildren } from './children.ts';
import { copiesDueMs } from './copies.ts';
import { ownChildren } from './owner-link.ts';
import { deleteRequest } from './delete-self.ts';
import { freshMemory, type Pause, type RequestMemory } from './memory.ts';
import type { Planner } from './planner.ts';
import { addFinalizer, removeFinalizer, saveStatus } from './save.ts';

const MAX_STEPS = 12;

/** What is known of a request at one moment of a pass. */
interface Situation {
  readonly request: ComposabilityRequest;
  readonly children: readonly ComposableResource[];
  readonly known: RequestKnowledge;
  readonly facts: RequestFacts;
  readonly words: RequestWords;
  readonly key: string;
  readonly memory: RequestMemory;
  /** Set while the last wait still holds. */
  readonly pause: Pause | undefined;
}

/** The object that stands now, written or as it was. */
interface Saved {
  readonly tag: 'saved';
  readonly object: ComposabilityRequest;
}

type Pass = ReconcileContext & { readonly row: string };

/** The interpreter of the request machine. */
export class RequestReconciler {
  readonly #services: Services;
  readonly #planner: Planner;
  readonly #memories = new Map<string, RequestMemory>();

  constructor(services: Services, planner: Planner) {
    this.#services = services;
    this.#planner = planner;
  }

  /** Ends a wait that its object's own facts would not end. */
  freshen(name: string): void {
    const memory = this.#memories.get(name);
    if (memory !== undefined) overtake(memory);
  }

  /** One pass over one request. */
  async reconcile(name: string, context: ReconcileContext): Promise<ReconcileResult> {
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const request = this.#services.caches.requests.get(name);
      if (request === undefined) {
        this.#memories.delete(name);
        this.#planner.settle(name);
        return { tag: 'done' };
      }
      const result = await this.#step(request, context);
      if (result !== 'next') return result;
    }
    return { tag: 'failed', message: `${name} does not come to rest: ${MAX_STEPS} steps in one pass` };
  }

  async #step(request: ComposabilityRequest, context: ReconcileContext): Promise<ReconcileResult | 'next'> {
    const at = this.#observe(request);
    if (at === undefined) {
      return { tag: 'failed', message: `the composabilityRequest state '${request.status?.state ?? ''}' is invalid` };
    }
    const { memory, pause } = at;
    // A plan for a spec that is not the present one any more is of no use.
    if (memory.outcome?.request === 'plan' && memory.plannedFor !== request.metadata.generation)
      memory.outcome = undefined;
    if (memory.outcome === undefined && pause !== undefined) {
      // The decision stands; the children's words, which are copied, may be news all the same.
      const saved = await this.#report({ tag: 'report', report: pause.report }, at, {
        ...context,
        row: 'children changed',
      });
      return saved.tag === 'saved' ? restOf(pause, this.#services.clock.monotonic()) : saved;
    }
    const step = stepRequest(at.facts, at.words, memory.outcome);
    this.#services.decided?.(decidedOn(at, memory.outcome, step));
    memory.outcome = undefined;
    return this.#carryOut(step.decision, at, { ...context, row: step.row });
  }

  #observe(request: ComposabilityRequest): Situation | undefined {
    const state = requestStateOf(request);
    if (state === undefined) return undefined;
    const children = this.#services.caches.resources.byIndex('request', request.metadata.name);
    const known = { target: this.#target(request), draining: this.#services.draining };
    const facts = requestFacts(request, state, children, known);
    const words = requestWords(request, children);
    const key = situationKey(facts, words);
    const memory = this.#memoryOf(request);
    const paused = memory.pause?.key === key && memory.pause.untilMs > this.#services.clock.monotonic();
    return { request, children, known, facts, words, key, memory, pause: paused ? memory.pause : undefined };
  }

  #target(request: ComposabilityRequest): RequestFacts['target'] {
    const name = request.spec.resource.target_node ?? '';
    if (name === '') return 'unset';
    const node = this.#services.nodes.of(name);
    return node === 'ready' || node === 'notReady' ? 'present' : node;
  }

  #memoryOf({ metadata }: ComposabilityRequest): RequestMemory {
    const present = this.#memories.get(metadata.name);
    if (present?.uid === metadata.uid) return present;
    const fresh = freshMemory(metadata.uid);
    this.#memories.set(metadata.name, fresh);
    return fresh;
  }

  async #carryOut(decision: RequestDecision, at: Situation, pass: Pass): Promise<ReconcileResult | 'next'> {
    const { memory } = at;
    switch (decision.tag) {
      case 'nothing':
        return { tag: 'done' };
      case 'request':
        if (decision.report !== undefined) {
          const saved = await this.#report({ tag: 'report', report: decision.report }, at, pass);
          if (saved.tag !== 'saved') return saved;
        }
        memory.plannedFor = at.request.metadata.generation;
        memory.overtaken = false;
        memory.outcome = await this.#perform(decision.request, at, pass.signal);
        return 'next';
      case 'wait': {
        const saved = await this.#report({ tag: 'report', report: decision.report }, at, pass);
        return saved.tag === 'saved' ? this.#pause(saved.object, at, decision.again, decision.report) : saved;
      }
      case 'save': {
        const saved = await this.#save(decision.change, at, pass);
        if (saved.tag !== 'saved') return saved;
        if (decision.pause === undefined || !('report' in decision.change)) {
          memory.tries = 0;
          return 'next';
        }
        return this.#pause(saved.object, at, decision.pause, decision.change.report);
      }
    }
  }

  async #perform(name: RequestRequest, { request, children }: Situation, signal: AbortSignal): Promise<RequestOutcome> {
    switch (name) {
      case 'plan':
        return this.#planner.plan(request, children, signal);
      case 'createChildren':
        return createChildren(request, children, this.#services);
      case 'deleteExtraChildren':
      case 'deleteAllChildren':
        return deleteChildren(name, request, children, this.#services);
      case 'ownChildren':
        return ownChildren(request, children, this.#services);
      case 'deleteSelf':
        return deleteRequest(request, this.#services);
    }
  }

  async #save(change: RequestChange, at: Situation, pass: Pass): Promise<Saved | ReconcileResult> {
    switch (change.tag) {
      case 'addFinalizer':
        return saved(await addFinalizer(at.request, this.#services));
      case 'removeFinalizer':
        return this.#letGo(at, pass);
      case 'report':
        return this.#report(change, at, pass);
      case 'recordPlan':
        try {
          return await this.#report(change, at, pass);
        } finally {
          this.#planner.settle(at.request.metadata.name);
        }
    }
  }

  async #letGo({ request, memory }: Situation, pass: Pass): Promise<Saved | ReconcileResult> {
    const outcome = await removeFinalizer(request, this.#services);
    if (outcome.tag === 'done') announceRequest(request, outcome.object, pass, memory.told, this.#services);
    return saved(outcome);
  }

  /** Writes the status when it says something new; mere copies of the children's words wait for their turn. */
  async #report(
    change: RequestStatusChange,
    { request, children, memory }: Situation,
    pass: Pass,
  ): Promise<Saved | ReconcileResult> {
    const { clock } = this.#services;
    const status = nextRequestStatus(request, change, children, new Date(clock.now()).toISOString());
    if (isDeepStrictEqual(status, request.status)) return { tag: 'saved', object: request };
    const copies =
      status.state === request.status?.state && status.error === request.status.error && change.tag === 'report';
    if (copies && request.status !== undefined) {
      const dueMs = memory.lastSaveMs + copiesDueMs(request.status, status) - clock.monotonic();
      if (dueMs > 0) return { tag: 'again', afterMs: dueMs };
    }
    const outcome = await saveStatus(request, status, this.#services);
    if (outcome.tag !== 'done') return saved(outcome);
    memory.lastSaveMs = clock.monotonic();
    announceRequest(request, outcome.object, pass, memory.told, this.#services);
    return { tag: 'saved', object: outcome.object };
  }

  /**
   * Waits, as long as the request is what was saved and its surroundings are what the decision was made on. What ended its waits while
   * it was deciding may have come too late for the decision: then it decides anew at once.
   */
  #pause(object: ComposabilityRequest, at: Situation, again: Again, report: RequestReport): ReconcileResult {
    const { memory, children, facts } = at;
    const state = requestStateOf(object);
    const now = this.#services.clock.monotonic();
    if (state === undefined) return { tag: 'done' };
    if (wasOvertaken(memory)) return { tag: 'again', afterMs: 1 };
    const untilMs = now + this.#waitMs(again, memory);
    const known = { target: facts.target, draining: this.#services.draining };
    const key = situationKey(requestFacts(object, state, children, known), requestWords(object, children));
    memory.pause = { key, untilMs, report };
    return restOf(memory.pause, now);
  }

  #waitMs(again: Again, memory: RequestMemory): number {
    if (again.tag === 'backoff') {
      memory.tries += 1;
      return backoffMs(memory.tries - 1, this.#services.random, again.atLeastMs);
    }
    memory.tries = 0;
    return again.tag === 'event' ? Infinity : again.ms;
  }
}

function situationKey(facts: RequestFacts, words: RequestWords): string {
  return fingerprint([facts, words]);
}

function restOf(pause: Pause, now: number): ReconcileResult {
  return Number.isFinite(pause.untilMs) ? { tag: 'again', afterMs: Math.max(1, pause.untilMs - now) } : { tag: 'done' };
}

/** A write that did not stand is looked at anew: not found and conflict are normal. */
function saved(outcome: WriteOutcome<ComposabilityRequest>): Saved | ReconcileResult {
  switch (outcome.tag) {
    case 'done':
      return { tag: 'saved', object: outcome.object };
    case 'notFound':
    case 'conflict':
    case 'alreadyExists':
      return { tag: 'again', afterMs: OVERTAKEN_MS };
    case 'refused':
    case 'unknown':
      return { tag: 'failed', message: outcome.error.message };
  }
}
