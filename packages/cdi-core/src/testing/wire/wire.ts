import type { Clock } from '@cro/clock';
import type { Http, HttpRequest, HttpResponse } from '../../contract/host.ts';
import { SendError } from '../../http/send-error.ts';
import type { WireFault } from './fault.ts';
import { perform } from './perform.ts';

/** What strikes a request: it is asked once for each, with the request's number from 1. */
export type Strike = (number: number, request: HttpRequest) => WireFault | undefined;

/** The way from a provider to its fabric. It sees every request, and can make one of them go wrong. */
export class Wire {
  /** Every request that a living process sent, oldest first. */
  readonly sent: HttpRequest[] = [];
  readonly #inner: Http;
  readonly #clock: Clock;
  #strike: Strike = () => undefined;
  #onStruck: () => void = () => undefined;
  #process = new Process();
  #onCrash: () => void = () => undefined;

  constructor(inner: Http | undefined, clock: Clock) {
    this.#inner = inner ?? { send: () => Promise.reject(new SendError('refused', false, 'the world has no http')) };
    this.#clock = clock;
  }

  /** The `Http` of a new process. The one before is over. */
  process(): Http {
    this.#process.die();
    const process = new Process();
    this.#process = process;
    return { send: (request, signal) => this.#send(process, request, signal) };
  }

  /** Decides from now on what strikes which request. */
  strike(strike: Strike): void {
    this.#strike = strike;
  }

  /** Strikes the `number`th request of all, and no other. */
  strikeOnce(number: number, fault: WireFault): void {
    this.strike((each) => (each === number ? fault : undefined));
  }

  /** Resolves when a request is struck. */
  struck(): Promise<'struck'> {
    return new Promise((resolve) => (this.#onStruck = () => resolve('struck')));
  }

  /** Resolves when the present process dies. */
  crashed(): Promise<'crashed'> {
    return new Promise((resolve) => (this.#onCrash = () => resolve('crashed')));
  }

  async #send(process: Process, request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    if (process.isDead()) return never();
    this.sent.push(request);
    const fault = this.#strike(this.sent.length, request);
    if (fault !== undefined) this.#onStruck();
    const crash = () => {
      process.die();
      this.#onCrash();
    };
    const work = perform({ inner: this.#inner, clock: this.#clock, crash }, fault, request, signal);
    try {
      const answer = await work;
      return process.isDead() ? await never() : answer;
    } catch (error) {
      if (process.isDead()) return never();
      throw error;
    }
  }
}

/** A process of the operator, as far as the wire can see. */
class Process {
  #dead = false;

  die(): void {
    this.#dead = true;
  }

  isDead(): boolean {
    return this.#dead;
  }
}

/** What a dead process waits for. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}
