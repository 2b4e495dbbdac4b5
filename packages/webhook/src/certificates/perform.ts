import type { Clock } from '@cro/clock';
import type { KubeClient, KubeObject, WriteOutcome } from '@cro/kube-runtime';
import { configurationKind, secretKind } from './kinds.ts';
import { mintAuthority, mintServing } from './mint.ts';
import type { Observation, Trust } from './observation.ts';
import type { PemPair } from './pem-pair.ts';
import type { RotationPolicy } from './policy.ts';
import type { RotationAction } from './rotation.ts';
import { storeData, type CertificateStore, type SecretData } from './secret-contents.ts';

/** What it takes to perform an action. */
export interface RotationContext {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly policy: RotationPolicy;
  readonly secret: { readonly namespace: string; readonly name: string };
  readonly names: readonly string[];
}

/** How a write ended; what it wrote does not matter, the caches show it. */
export interface RotationOutcome {
  readonly tag: WriteOutcome<KubeObject>['tag'];
  readonly message?: string;
}

/** A write that the facts asked for, with everything it needs. */
type Write = Exclude<RotationAction, { tag: 'wait' }>;

/** Performs one action: at most one write, guarded so that of several replicas only one succeeds. */
export async function perform(write: Write, seen: Observation, context: RotationContext): Promise<RotationOutcome> {
  const { store, trust } = seen;
  switch (write.tag) {
    case 'create':
    case 'reset':
      return save(seen, await freshData(seen, context), context);
    case 'addAuthority':
      return store === undefined ? nothingToDo : save(seen, await dataWithAuthority(store, context), context);
    case 'issueServing':
      return store === undefined ? nothingToDo : save(seen, await dataWithServing(store, context), context);
    case 'retire': {
      if (store === undefined) return nothingToDo;
      const kept = store.older.filter(({ fingerprint }) => !write.fingerprints.includes(fingerprint));
      return save(seen, storeData(pems([store.newest, ...kept]), store.authorityKey, store.serving), context);
    }
    case 'inject':
      return store === undefined || trust === undefined ? nothingToDo : inject(seen, store, trust, context);
    default:
      return write satisfies never;
  }
}

/** The facts that led to the action are no more: look again. */
const nothingToDo: RotationOutcome = { tag: 'conflict', message: 'the facts changed' };

/** What the configuration trusts already is kept for a while: somebody may still serve a certificate of it. */
async function freshData({ trust }: Observation, context: RotationContext): Promise<SecretData> {
  const authority = await newAuthority(context);
  const now = context.clock.now();
  const others = trust?.trusted.filter(({ notAfter, x509 }) => notAfter > now && x509.ca) ?? [];
  return storeData([authority.certificate, ...pems(others)], authority.key, await newServing(authority, context));
}

async function dataWithAuthority(store: CertificateStore, context: RotationContext): Promise<SecretData> {
  const authority = await newAuthority(context);
  return storeData([authority.certificate, ...pems([store.newest, ...store.older])], authority.key, store.serving);
}

async function dataWithServing(store: CertificateStore, context: RotationContext): Promise<SecretData> {
  const authority = { certificate: store.newest.pem, key: store.authorityKey };
  const serving = await newServing(authority, context, store.newest.notAfter);
  return storeData(pems([store.newest, ...store.older]), store.authorityKey, serving);
}

function newAuthority({ clock, policy }: RotationContext): Promise<PemPair> {
  const now = clock.now();
  const name = `composable-resource-operator webhook ${new Date(now).toISOString()}`;
  return mintAuthority(name, { notBefore: now - policy.backdateMs, notAfter: now + policy.authorityLifetimeMs });
}

function newServing(authority: PemPair, context: RotationContext, limit = Infinity): Promise<PemPair> {
  const { clock, policy, names } = context;
  const now = clock.now();
  return mintServing(names, authority, {
    notBefore: now - policy.backdateMs,
    notAfter: Math.min(now + policy.servingLifetimeMs, limit),
  });
}

function pems(certificates: readonly { readonly pem: string }[]): readonly string[] {
  return certificates.map(({ pem }) => pem);
}

/** Creates the Secret, or changes it where nobody else did in the meantime. Labels and the like stay. */
async function save({ secret }: Observation, data: SecretData, context: RotationContext): Promise<RotationOutcome> {
  const { client, secret: ref } = context;
  if (secret === undefined) {
    const created = { metadata: ref, type: 'kubernetes.io/tls', data };
    return summary(await client.create(secretKind, created));
  }
  const { resourceVersion } = secret.metadata;
  const operations = [
    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
    { op: 'add', path: '/data', value: data },
  ] as const;
  return summary(await client.patch(secretKind, ref, { type: 'json', operations }));
}

/**
 * Guarded on both sides: by the configuration's version, and by a live read of the Secret, because a cache that is
 * behind would take the trust in a new authority away again.
 */
async function inject(
  seen: Observation,
  store: CertificateStore,
  trust: Trust,
  context: RotationContext,
): Promise<RotationOutcome> {
  const { client } = context;
  const live = await client.get(secretKind, context.secret);
  if (live.tag === 'failed') return { tag: 'unknown', message: live.error.message };
  if (live.tag === 'notFound' || live.object.metadata.resourceVersion !== seen.secret?.metadata.resourceVersion) {
    return nothingToDo;
  }
  const { configuration, index } = trust;
  const { name, resourceVersion } = configuration.metadata;
  const bundle = pems([store.newest, ...store.older]).join('');
  const operations = [
    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
    { op: 'add', path: `/webhooks/${index}/clientConfig/caBundle`, value: Buffer.from(bundle).toString('base64') },
  ] as const;
  return summary(await client.patch(configurationKind, { name }, { type: 'json', operations }));
}

function summary(outcome: WriteOutcome<KubeObject>): RotationOutcome {
  return 'error' in outcome ? { tag: outcome.tag, message: outcome.error.message } : { tag: outcome.tag };
}
