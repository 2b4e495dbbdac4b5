import type { Failure } from '@cro/crd-types';
import type { Clock } from '@cro/clock';
import { apiVersionOf, type Kind, type KubeClient } from '@cro/kube-runtime';
import { bestVersion, howToServe } from './served-version.ts';
import { taintRuleKind, type TaintRule } from './taint-rule.ts';

/** Why there can be no rule at present. */
export interface Unavailable {
  readonly tag: 'unavailable';
  readonly reason: 'FenceNotServed' | 'FenceForbidden';
  readonly message: string;
}

/** How DeviceTaintRules can be reached now. */
export type Access =
  | { readonly tag: 'served'; readonly kind: Kind<TaintRule> }
  | Unavailable
  | { readonly tag: 'failed'; readonly failure: Failure };

/** Where a change of the access is told. */
export interface AccessLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** What reaching them needs. */
export interface RuleAccessOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: AccessLog;
}

/** How long it holds that there can be no rule. Only who needs one asks again then: at rest nothing is read. */
const HOLDS_MS = 60_000;

const RESOURCE = { group: 'resource.k8s.io', plural: 'devicetaintrules' } as const;

/**
 * In which version DeviceTaintRules are served, and whether we may write them. Discovery is read at the start, when a call
 * finds that its version is gone, and, while there is none, when somebody needs a rule: at most once a minute for all.
 */
export class RuleAccess {
  readonly #options: RuleAccessOptions;
  readonly #listeners = new Set<() => void>();
  #known: Exclude<Access, { readonly tag: 'failed' }> | undefined;
  #holdsUntilMs = 0;
  #reading: Promise<Access> | undefined;
  /** What waiting resources were told last. */
  #missing: Unavailable['reason'] | undefined;

  constructor(options: RuleAccessOptions) {
    this.#options = options;
  }

  /** What is known, read anew where that does not hold any more. Several who ask at once share one reading. */
  current(): Promise<Access> {
    const known = this.#known;
    if (known?.tag === 'served') return Promise.resolve(known);
    if (known !== undefined && this.#options.clock.monotonic() < this.#holdsUntilMs) return Promise.resolve(known);
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Calls `listener` when rules can be written that could not be before. The result ends that. */
  onAvailable(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A call found that its version is not served any more: the next one reads discovery. */
  versionGone(): void {
    this.#known = undefined;
  }

  /** A call was refused for lack of a permission. `message` is the API server's. */
  forbidden(message: string): Unavailable {
    const grant = 'grant get, create and delete of devicetaintrules in resource.k8s.io to its role';
    return this.#note(
      'FenceForbidden',
      `the operator is not allowed to keep new pods from the device: ${grant}. The API server says: ${message}`,
    );
  }

  /** A rule was written: whoever waits for the permission to can go on. */
  written(): void {
    if (this.#missing !== undefined) this.#tellAvailable();
  }

  async #read(): Promise<Access> {
    const { client, log } = this.#options;
    const served = await client.servedVersions(RESOURCE);
    if (served.tag === 'failed') {
      const message = `finding out in which version DeviceTaintRule is served failed: ${served.error.message}`;
      return { tag: 'failed', failure: { kind: 'Unreachable', message } };
    }
    const version = bestVersion(served.versions);
    if (version === undefined) {
      const server = await client.serverVersion();
      return this.#note('FenceNotServed', howToServe(server.tag === 'read' ? server : undefined));
    }
    const kind = taintRuleKind(version);
    log.info('DeviceTaintRules keep new pods from devices that leave', { version: apiVersionOf(kind) });
    this.#known = { tag: 'served', kind };
    // Of a permission nobody knows before it is used.
    if (this.#missing === 'FenceNotServed') this.#tellAvailable();
    return this.#known;
  }

  #note(reason: Unavailable['reason'], message: string): Unavailable {
    const unavailable: Unavailable = { tag: 'unavailable', reason, message };
    if (this.#missing !== reason) this.#options.log.warn('no fence', { reason, message });
    this.#missing = reason;
    this.#known = unavailable;
    this.#holdsUntilMs = this.#options.clock.monotonic() + HOLDS_MS;
    return unavailable;
  }

  #tellAvailable(): void {
    this.#missing = undefined;
    for (const listener of [...this.#listeners]) listener();
  }
}
