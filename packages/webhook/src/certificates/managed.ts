import type { Clock } from '@cro/clock';
import { fieldIs, startController, watchKind } from '@cro/kube-runtime';
import type { Cache, Controller, KubeClient, Log, ReconcileResult, RuntimeMetrics, Transport } from '@cro/kube-runtime';
import { configurationKind, secretKind, type ConfigurationObject, type SecretObject } from './kinds.ts';
import { observe, trusts, type Observation } from './observation.ts';
import { perform, type RotationContext } from './perform.ts';
import { DEFAULT_POLICY, type RotationPolicy } from './policy.ts';
import { decideRotation, switchAfter, type ConfigurationFacts, type ServedFacts } from './rotation.ts';
import type { CertificateStore } from './secret-contents.ts';
import type { CertificateSource, ServeCertificate } from './source.ts';
import { TrustWatch } from './trust-watch.ts';

/** Where the certificates are kept and who has to trust them. */
export interface ManagedCertificates {
  readonly client: KubeClient;
  readonly transport: Transport;
  /** Holds the authority and the serving certificate; made when missing, shared by all replicas. */
  readonly secret: { readonly namespace: string; readonly name: string };
  /** Name of the ValidatingWebhookConfiguration whose caBundle is kept right. */
  readonly configuration: string;
  /** DNS names and IP addresses that API servers call: see `certificateNames`. */
  readonly names: readonly string[];
  readonly policy?: RotationPolicy;
}

/** The world around it. */
export interface SourceOptions {
  readonly clock: Clock;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  readonly log: Log;
  readonly metrics?: RuntimeMetrics;
  readonly signal: AbortSignal;
  readonly serve: ServeCertificate;
}

/** A conflict is settled by the watch; this is for when its event is late. */
const CONFLICT_RETRY_MS = 1_000;

/** Keeps the certificates in their Secret, and the configuration's trust in them. */
export class ManagedSource implements CertificateSource {
  readonly stopped: Promise<void>;
  readonly #options: SourceOptions;
  readonly #context: RotationContext;
  readonly #managed: ManagedCertificates;
  readonly #secrets: Cache<SecretObject>;
  readonly #configurations: Cache<ConfigurationObject>;
  #served: CertificateStore | undefined;
  readonly #trust: TrustWatch;

  constructor(managed: ManagedCertificates, options: SourceOptions) {
    const { client, transport, secret, configuration } = managed;
    const { clock, random, log, metrics, signal } = options;
    this.#options = options;
    this.#managed = managed;
    this.#trust = new TrustWatch(clock);
    this.#context = { client, clock, secret, names: managed.names, policy: managed.policy ?? DEFAULT_POLICY };
    const watch = { client, transport, clock, random, log, signal, ...(metrics && { metrics }) };
    this.#secrets = watchKind(secretKind, {
      ...watch,
      namespace: secret.namespace,
      fieldSelector: fieldIs('metadata.name', secret.name),
    });
    this.#configurations = watchKind(configurationKind, {
      ...watch,
      fieldSelector: fieldIs('metadata.name', configuration),
    });
    const controller = startController({
      ...{ name: 'webhook-certificates', clock, random, log, signal, concurrency: 1, ...(metrics && { metrics }) },
      reconcile: () => this.#reconcile(),
    });
    this.stopped = controller.stopped;
    this.#wakeOnChange(controller);
  }

  problem(): string | undefined {
    const served = this.#served;
    if (served === undefined) return 'there is no serving certificate yet';
    if (this.#options.clock.now() >= served.servingCertificate.notAfter) return 'the serving certificate has expired';
    const seen = this.#observe();
    if (seen.trust === undefined) {
      return `ValidatingWebhookConfiguration ${this.#managed.configuration} with our webhook does not exist`;
    }
    return trusts(seen, served.issuer) ? undefined : 'the webhook configuration does not trust the serving certificate';
  }

  #wakeOnChange(controller: Controller): void {
    const wake = () => {
      controller.enqueue('certificates');
    };
    for (const cache of [this.#secrets, this.#configurations]) {
      cache.subscribe(wake);
      // Rejects only when everything stops.
      cache.whenSynced(this.#options.signal).then(wake, () => undefined);
    }
  }

  async #reconcile(): Promise<ReconcileResult> {
    // Nothing is decided on half of the facts: the other cache wakes us.
    if (!this.#secrets.synced || !this.#configurations.synced) return { tag: 'done' };
    const { clock, log } = this.#options;
    const seen = this.#observe();
    const configuration = this.#trust.facts(seen.trust);
    const switchMs = this.#serve(seen, configuration);
    const action = decideRotation({ secret: seen.secretFacts, configuration }, this.#context.policy, clock.now());
    if (action.tag === 'wait') return { tag: 'again', afterMs: Math.min(action.forMs, switchMs) };
    const outcome = await perform(action, seen, this.#context);
    switch (outcome.tag) {
      case 'done':
        log.info('webhook certificates changed', { action: action.tag });
        return { tag: 'again', afterMs: 0 };
      case 'conflict':
      case 'alreadyExists':
      case 'notFound':
        return { tag: 'again', afterMs: CONFLICT_RETRY_MS };
      case 'refused':
      case 'unknown':
        return {
          tag: 'failed',
          message: `webhook certificates: ${action.tag}: ${outcome.message ?? 'no reason given'}`,
        };
      default:
        return outcome.tag satisfies never;
    }
  }

  #observe(): Observation {
    const { secret, configuration, names } = this.#managed;
    return observe(this.#secrets.get(secret.name, secret.namespace), this.#configurations.get(configuration), names);
  }

  /** Switches to the Secret's certificate when it is time. Answers in how many milliseconds it will be. */
  #serve({ store }: Observation, configuration: ConfigurationFacts): number {
    if (store === undefined) return Infinity;
    const { clock, log } = this.#options;
    const trusted = configuration.tag === 'present' ? configuration.trusted : [];
    const served = this.#served === undefined ? undefined : servedFacts(this.#served);
    const afterMs = switchAfter(served, servedFacts(store), trusted, this.#context.policy, clock.now());
    if (afterMs > 0) return afterMs;
    this.#options.serve(store.serving);
    this.#served = store;
    const { notAfter } = store.servingCertificate;
    log.info('webhook serves a certificate', { notAfter: new Date(notAfter).toISOString() });
    return Infinity;
  }
}

function servedFacts({ servingCertificate, issuer }: CertificateStore): ServedFacts {
  const { fingerprint, notAfter } = servingCertificate;
  return { fingerprint, notAfter, issuer: issuer.fingerprint };
}
