import type { ComposableResource, Failure } from '@cro/crd-types';
import type { ResourceRequest } from '@cro/state-machines';
import { backoffMs } from '../report/backoff.ts';
import type { Services } from '../services.ts';
import type { Shortages } from '../request/shortages.ts';
import { machineOf } from './machine-of.ts';
import type { ResourceMemory, RunningRequest } from './memory.ts';
import { perform } from './perform.ts';

/** Runs the machine's requests beside the workers: a worker starts one and is free; its end wakes the object. */
export class Operations {
  readonly #services: Services;
  readonly #shortages: Shortages;
  #stopping = false;

  constructor(services: Services, shortages: Shortages) {
    this.#services = services;
    this.#shortages = shortages;
  }

  /** From now on nothing is started; what the fabric is at work on may end, and its outcome is saved. */
  stopStarting(): void {
    this.#stopping = true;
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  /** Starts a request. Its outcome stands in the memory when the object is woken. */
  begin(request: ResourceRequest, resource: ComposableResource, memory: ResourceMemory): void {
    if (this.#stopping) return;
    const running: RunningRequest = { request, queued: false, abort: new AbortController() };
    memory.running = running;
    memory.overtaken = false;
    void this.#run(running, resource, memory);
  }

  async #run(running: RunningRequest, resource: ComposableResource, memory: ResourceMemory): Promise<void> {
    const services = this.#services;
    const { request, abort } = running;
    const { name } = resource.metadata;
    const signal = AbortSignal.any([abort.signal, services.signal]);
    const lifts = this.#shortages.lifts;
    let wakeAfterMs = 0;
    try {
      const outcome = await perform(request, { resource, memory, running, services, signal });
      // What a given-up request found is of no use: nothing was recorded for it.
      if (!abort.signal.aborted) memory.outcome = outcome;
      if ('failure' in outcome && outcome.failure !== undefined)
        await this.#learn(outcome.failure, resource, memory, lifts);
    } catch (error) {
      if (signal.aborted) return;
      const text = error instanceof Error ? error.message : String(error);
      services.log.error('a request failed in a way that it must not', { resource: name, request, error: text });
      wakeAfterMs = backoffMs(memory.tries, services.random);
      memory.tries += 1;
      memory.pause = undefined;
    } finally {
      memory.running = undefined;
      services.clock.after(wakeAfterMs, () => {
        services.wake.resource(name);
      });
    }
  }

  /**
   * An empty pool is remembered. When a device went back while the fabric refused this one, the event of that found nobody
   * waiting: the next try is soon, whatever the fabric called its refusal by then.
   */
  async #learn(
    failure: Failure,
    resource: ComposableResource,
    memory: ResourceMemory,
    liftsBefore: number,
  ): Promise<void> {
    if (liftsBefore !== this.#shortages.lifts) memory.tries = 0;
    else if (failure.kind === 'Exhausted') await this.#noteShortage(resource);
  }

  async #noteShortage(resource: ComposableResource): Promise<void> {
    const located = await machineOf(resource, this.#services, this.#services.signal);
    if (located.tag === 'machine') this.#shortages.note(located.machine, resource.spec.model);
  }
}
