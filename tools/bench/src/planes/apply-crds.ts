import { requestKind, resourceKind } from '@cro/crd-types';
import { crds } from '@cro/crd-types/crd';
import type { Clock } from '@cro/clock';
import { until } from '@cro/demo';
import { watchKind, type Kind, type KubeClient, type KubeObject, type Transport } from '@cro/kube-runtime';

const crdKind: Kind<KubeObject> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
  decode: (value) =>
    isObject(value) ? { tag: 'ok', object: value } : { tag: 'malformed', message: 'expected an object with metadata' },
};

const SERVED_WITHIN_MS = 30_000;

/** What applying needs. */
export interface ApplyOptions {
  readonly client: KubeClient;
  readonly transport: Transport;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
}

/** Creates the definitions of our kinds, and waits until the API server serves them without delay. */
export async function applyCrds(options: ApplyOptions): Promise<void> {
  const { client, clock } = options;
  const definitions = Object.values(crds);
  for (const definition of definitions) {
    const created = await client.create(crdKind, definition);
    if (created.tag !== 'done') throw new Error(`${definition.metadata.name}: ${JSON.stringify(created)}`);
  }
  const end = new AbortController();
  const cache = watchKind(crdKind, { ...options, signal: end.signal });
  await until({
    clock,
    what: 'our kinds are served',
    on: [(look) => cache.subscribe(look)],
    value: () => (cache.list().filter(isEstablished).length === definitions.length ? true : undefined),
    withinMs: SERVED_WITHIN_MS,
    signal: end.signal,
  });
  end.abort(new Error('they are served'));
  await Promise.all([
    createOnce(client, requestKind, { resource: { type: 'gpu', model: 'any', size: 0 } }),
    createOnce(client, resourceKind, { type: 'gpu', model: 'any', target_node: 'any' }),
  ]);
}

/**
 * An API server holds up whoever creates an object of a kind that it has served for less than 2 s (k8s.io/apiextensions-apiserver,
 * customresource_handler.go): after this it does not any more.
 */
async function createOnce<T extends KubeObject>(client: KubeClient, kind: Kind<T>, spec: object): Promise<void> {
  const ref = { name: 'is-served' };
  const created = await client.create(kind, { metadata: ref, ...{ spec } });
  const removed = created.tag === 'done' ? await client.delete(kind, ref) : created;
  if (removed.tag !== 'done') throw new Error(`${kind.kind} ${ref.name}: ${JSON.stringify(removed)}`);
}

function isEstablished(definition: object): boolean {
  const status: unknown = Reflect.get(definition, 'status');
  const conditions: unknown = typeof status === 'object' && status !== null ? Reflect.get(status, 'conditions') : [];
  return (
    Array.isArray(conditions) &&
    conditions.some(
      (one: object) => Reflect.get(one, 'type') === 'Established' && Reflect.get(one, 'status') === 'True',
    )
  );
}

function isObject(value: unknown): value is KubeObject {
  return typeof value === 'object' && value !== null && 'metadata' in value;
}
