import assert from 'node:assert/strict';
import { delay } from '@cro/clock';
import type { Failure } from '@cro/crd-types';
import type { CallContext, Provider } from '../../contract/provider.ts';
import type {
  AttachedDevice,
  Done,
  PrepareRequest,
  ResumeOutcome,
  StartOutcome,
  Ticket,
} from '../../contract/ticket.ts';
import { contextOf, savedTicket } from '../suite/steps.ts';
import type { Stage } from '../suite/stage.ts';

/** Most tickets for one operation, and looks at one ticket, before the suite calls it stuck. */
const MOST_TICKETS = 12;
const MOST_LOOKS = 1_000;

/** How long the operator waits where nobody says how long, in milliseconds. */
const RETRY_MS = 5_000;

type Call<T> = (provider: Provider, context: CallContext) => Promise<T>;

/** How an operation ended, when it ended well. */
type Ended = Pick<Done, 'device'> & { readonly failures: readonly Failure[] };

/**
 * What the operator does with a provider to carry out one operation: it saves a ticket before it starts it, starts it once, finds out
 * by `resume` what became of it, also after its process has died, waits the settle window where nothing is seen, and gives
 * back what came beyond the one device that was asked for.
 */
export class ModelOperator {
  /** How many tickets were started. */
  starts = 0;
  /** The device that the operation holds: the one of its ticket, if the provider has chosen one, then the one that came. */
  holds: string | undefined;
  readonly #stage: Stage;
  readonly #claimed: () => readonly string[];
  readonly #failures: Failure[] = [];
  #provider: Provider;

  /** `claimed`: what other tickets and resources hold. */
  constructor(stage: Stage, claimed: () => readonly string[] = () => [], provider = stage.restart()) {
    this.#stage = stage;
    this.#claimed = claimed;
    this.#provider = provider;
  }

  /** Carries out an operation to its end. Rejects when it does not come to one. Somebody has to let time pass. */
  async carryOut(request: PrepareRequest): Promise<Ended> {
    for (let tickets = 0; tickets < MOST_TICKETS; tickets += 1) {
      const prepared = await this.#call('read', (provider, context) =>
        provider.prepare({ ...request, claimed: this.#claimed() }, context),
      );
      if (prepared === 'crashed') continue;
      if (prepared.tag === 'already') return { ...prepared, failures: this.#failures };
      if (prepared.tag === 'failed') {
        await this.#failed(prepared.failure);
        continue;
      }
      const ended = await this.#run(savedTicket(prepared.ticket));
      if (ended === undefined) continue;
      this.holds = ended.device?.cdiDeviceId;
      await this.#giveBack(request, ended.surplus ?? []);
      return { ...ended, failures: this.#failures };
    }
    return assert.fail(`no end after ${MOST_TICKETS} tickets: ${this.#said()}`);
  }

  /** Starts a ticket and follows it. `undefined`: it came to nothing, which is certain enough to make another. */
  async #run(ticket: Ticket): Promise<Done | undefined> {
    this.starts += 1;
    const chosen = ticket.payload['cdiDeviceId'];
    this.holds = typeof chosen === 'string' ? chosen : undefined;
    const started = await this.#call('mutate', (provider, context) => provider.start(ticket, context));
    if (started === 'crashed') return this.#follow(ticket);
    switch (started.tag) {
      case 'done':
        return started;
      case 'refused':
        await this.#failed(started.failure);
        return undefined;
      case 'pending':
        await this.#wait(started.retryAfterMs);
        return this.#follow(started.ticket ?? ticket);
      case 'inDoubt':
        this.#failures.push(started.failure);
        return this.#follow(ticket);
    }
  }

  async #follow(first: Ticket): Promise<Done | undefined> {
    let ticket = savedTicket(first);
    let since = this.#now();
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      const outcome = await this.#call('read', (provider, context) =>
        provider.resume(ticket, context, this.#claimed()),
      );
      if (outcome === 'crashed') {
        since = this.#now();
        continue;
      }
      if (outcome.tag === 'done') return outcome;
      if (outcome.tag === 'notDone') {
        if (outcome.failure !== undefined) await this.#failed(outcome.failure);
        return undefined;
      }
      if (outcome.tag === 'pending' && outcome.ticket !== undefined) ticket = savedTicket(outcome.ticket);
      const settled = this.#now() - since >= this.#provider.settleSeconds * 1000;
      if (outcome.tag === 'unchanged' && settled) return undefined;
      await this.#wait(waitAfter(outcome));
    }
    return assert.fail(`no end after ${MOST_LOOKS} looks: ${this.#said()}`);
  }

  async #giveBack(request: PrepareRequest, surplus: readonly AttachedDevice[]): Promise<void> {
    for (const { cdiDeviceId, deviceId } of surplus) {
      const device = { cdiDeviceId, ...(deviceId === undefined ? {} : { deviceId }) };
      const operator = new ModelOperator(this.#stage, this.#claimed, this.#provider);
      await operator.carryOut({ ...request, op: 'detach', device });
      this.starts += operator.starts;
    }
  }

  /** Calls the provider; when its process dies meanwhile, there is another one afterwards. */
  async #call<T>(kind: 'read' | 'mutate', call: Call<T>): Promise<T | 'crashed'> {
    const crashed = this.#stage.wire.crashed();
    const outcome = await Promise.race([call(this.#provider, contextOf(this.#provider, kind)), crashed]);
    if (outcome === 'crashed') this.#provider = this.#stage.restart();
    return outcome;
  }

  async #failed(failure: Failure): Promise<void> {
    this.#failures.push(failure);
    await this.#wait(failure.retryAfterMs ?? RETRY_MS);
  }

  #wait(ms: number): Promise<void> {
    return delay(this.#stage.world.clock, ms);
  }

  #now(): number {
    return this.#stage.world.clock.monotonic();
  }

  #said(): string {
    const said = this.#failures.slice(-3).map(({ kind, message }) => `${kind}: ${message}`);
    return said.length === 0 ? 'no failure was told' : said.join('; ');
  }
}

function waitAfter(outcome: Exclude<StartOutcome | ResumeOutcome, { tag: 'done' | 'refused' | 'notDone' }>): number {
  return outcome.tag === 'inDoubt' ? (outcome.failure.retryAfterMs ?? RETRY_MS) : outcome.retryAfterMs;
}
