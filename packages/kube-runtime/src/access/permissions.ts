import { delay, type Clock } from '@cro/clock';
import type { KubeClient } from '../client/client.ts';
import type { Transport } from '../transport.ts';
import type { Access } from './access.ts';
import { attributesOf } from './attributes.ts';
import { covers } from './covers.ts';
import { reviewAccess, type Granted } from './review.ts';

/** What checking permissions needs. */
export interface PermissionsOptions {
  /** Asks the API server; its own requests are not checked. */
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Everything that the program asks for. */
  readonly access: readonly Access[];
  /** Told when something is found missing, or granted after all. */
  readonly onChange: (missing: readonly Access[]) => void;
  /** Told once when the API server does not say what is granted. */
  readonly onUnknown: (message: string) => void;
  readonly signal: AbortSignal;
}

/** How soon after a refusal, and how often while something is missing, what is granted is asked for again. */
const AGAIN_MS = 60_000;

/** An API server that has just started answers "no" until it has read the roles: only a second "no" counts, so much later. */
const SURE_MS = 10_000;

/**
 * Knows which permissions this process lacks. Everything is asked for once at the start; then only what was refused, and what was
 * missing, once a minute: a process that has all costs nothing. What is found missing is asked for twice before it is told.
 */
export class Permissions {
  readonly #options: PermissionsOptions;
  readonly #due = new Set<Access>();
  /** Answered with "no" once. */
  readonly #suspected = new Set<Access>();
  readonly #missing = new Map<Access, Access>();
  #wake: () => void = () => undefined;
  #unknownTold = false;

  constructor(options: PermissionsOptions) {
    this.#options = options;
    for (const access of options.access) this.#due.add(access);
  }

  /** What is known to be missing: of each access, the verbs that are not granted. */
  get missing(): readonly Access[] {
    return [...this.#missing.values()];
  }

  /** The same transport; a request that it sees refused is a reason to ask what is granted. */
  listeningTo(transport: Transport): Transport {
    return {
      ...(transport.host !== undefined && { host: transport.host }),
      send: async (request, signal) => {
        const response = await transport.send(request, signal);
        const asked = response.status === 403 ? attributesOf(request) : undefined;
        if (asked !== undefined) {
          for (const access of this.#options.access) {
            if (covers(access, asked) && !this.#missing.has(access)) this.#due.add(access);
          }
          if (this.#due.size > 0) this.#wake();
        }
        return response;
      },
    };
  }

  /** Asks until the signal aborts. */
  async run(): Promise<void> {
    const { clock, signal } = this.#options;
    while (!signal.aborted) {
      await this.#review();
      // The only way in which this wait fails is the end.
      await delay(clock, this.#suspected.size > 0 ? SURE_MS : AGAIN_MS, signal).catch(() => undefined);
      if (this.#due.size === 0 && this.#missing.size === 0) await this.#untilDue(signal);
      for (const access of this.#missing.keys()) this.#due.add(access);
    }
  }

  async #review(): Promise<void> {
    const { client, onChange, signal } = this.#options;
    const before = JSON.stringify(this.missing);
    for (const access of [...this.#due]) {
      if (signal.aborted) return;
      const granted = await reviewAccess(client, access);
      if (granted.tag === 'unknown') {
        // It stays due: nothing is said about what is not known.
        this.#notKnown(granted.message);
        break;
      }
      this.#note(access, granted);
    }
    if (JSON.stringify(this.missing) !== before) onChange(this.missing);
  }

  #note(access: Access, granted: Exclude<Granted, { tag: 'unknown' }>): void {
    if (granted.tag === 'missing' && !this.#missing.has(access) && !this.#suspected.has(access)) {
      // It stays due.
      this.#suspected.add(access);
      return;
    }
    this.#due.delete(access);
    this.#suspected.delete(access);
    if (granted.tag === 'missing') this.#missing.set(access, granted.missing);
    else this.#missing.delete(access);
  }

  #notKnown(message: string): void {
    if (!this.#unknownTold && !this.#options.signal.aborted) this.#options.onUnknown(message);
    this.#unknownTold = true;
  }

  #untilDue(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        signal.removeEventListener('abort', end);
        this.#wake = () => undefined;
        resolve();
      };
      this.#wake = end;
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
    });
  }
}
