import { systemClock } from '@cro/clock';
import {
  GROUP,
  parseComposabilityRequest,
  VERSION,
  type ComposabilityRequest,
  type ComposabilityRequestStatus,
} from '@cro/crd-types';
import { composabilityRequestCrd } from '@cro/crd-types/crd';
import { KubeClient, watchKind, type Cache, type Kind } from '@cro/kube-runtime';
import { inProcessTransport } from '@cro/kube-runtime/testing';
import { createKubeSim } from '@cro/kube-sim';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startWebhook, validatingWebhookConfiguration, type Webhook } from '../src/index.ts';
import { soon } from './support/soon.ts';

const MODEL = 'NVIDIA-A100-PCIE-80GB';
const DENIED = 'admission webhook "vcomposabilityrequest.kb.io" denied the request: ';
const TARGET = `${DENIED}TargetNode cannot be specified when AllocationPolicy is set to 'differentnode'`;
const clash = (name: string) =>
  `${DENIED}composabilityRequest resource ${name} with type gpu and model ${MODEL} already exists`;

const kind: Kind<ComposabilityRequest> = {
  ...{ group: GROUP, version: VERSION, kind: 'ComposabilityRequest', plural: 'composabilityrequests' },
  namespaced: false,
  decode: parseComposabilityRequest,
};

let client: KubeClient;
let requests: Cache<ComposabilityRequest>;
let webhook: Webhook;
let stop: AbortController;

/** An API server in memory that asks a real webhook over TLS, which knows the requests by watch. */
beforeEach(async () => {
  const random = Math.random;
  const sim = createKubeSim({ clock: systemClock, random, crds: [composabilityRequestCrd] });
  const transport = inProcessTransport(sim.handle);
  client = new KubeClient({ transport, clock: systemClock, random });
  stop = new AbortController();
  requests = watchKind(kind, { client, transport, clock: systemClock, random, signal: stop.signal });
  const secret = { namespace: 'kube-system', name: 'certificates' };
  webhook = await startWebhook({
    ...{ clock: systemClock, random, host: '127.0.0.1', port: 0, listRequests: () => requests.list() },
    certificates: { tag: 'managed', client, transport, secret, configuration: 'cro', names: ['127.0.0.1'] },
  });
  const address = { url: `https://127.0.0.1:${webhook.port}` };
  sim.objects.put(validatingWebhookConfiguration({ name: 'cro', address }));
  await soon(() => {
    expect(webhook.problem()).toBeUndefined();
    expect(requests.synced).toBe(true);
  });
});

afterEach(async () => {
  await webhook.close();
  stop.abort();
});

type Resource = ComposabilityRequest['spec']['resource'];

async function create(name: string, resource: Partial<Resource> = {}): Promise<string> {
  const spec = { resource: { type: 'gpu', model: MODEL, size: 2, ...resource } };
  const object = { metadata: { name, finalizers: ['com.ie.ibm.hpsys/finalizer'] }, spec };
  return said(await client.create(kind, object));
}

async function place(name: string, nodes: readonly string[]): Promise<string> {
  const resources = Object.fromEntries(nodes.map((node) => [`gpu-${node}`, { state: 'Online', node_name: node }]));
  const status: ComposabilityRequestStatus = { state: 'Running', resources };
  return said(await client.patch(kind, { name }, { type: 'merge', value: { status } }, { subresource: 'status' }));
}

async function update(name: string, resource: Partial<Resource>): Promise<string> {
  return said(await client.patch(kind, { name }, { type: 'merge', value: { spec: { resource } } }));
}

function said(
  outcome: { readonly tag: string } | { readonly tag: string; readonly error: { message: string } },
): string {
  return 'error' in outcome ? outcome.error.message : outcome.tag;
}

test('creations: the Go operator’s cases, as a user sees them', async () => {
  expect(await create('r1', { target_node: 'worker-1' })).toBe('done');
  expect(await create('r6')).toBe('done');
  expect(await place('r6', ['worker-0'])).toBe('done');
  expect(await create('r4', { allocation_policy: 'differentnode' })).toBe('done');
  expect(await create('r2', { target_node: 'worker-0' })).toBe(clash('r6'));
  expect(await create('r3', { allocation_policy: 'differentnode', target_node: 'worker-5' })).toBe(TARGET);
  expect(await create('r5', { allocation_policy: 'differentnode' })).toBe(clash('r4'));
  // Where the Go operator refuses, and this one does not: they get different nodes.
  expect(await create('r0')).toBe('done');
});

test('updates: the Go operator’s cases, as a user sees them', async () => {
  expect(await create('r0')).toBe('done');
  expect(await place('r0', ['worker-0'])).toBe('done');
  expect(await create('r2', { target_node: 'worker-7' })).toBe('done');
  expect(await update('r2', { target_node: 'worker-0' })).toBe(clash('r0'));
  expect(await update('r2', { size: 3 })).toBe('done');
  expect(await create('r3', { target_node: 'worker-5' })).toBe('done');
  expect(await update('r3', { allocation_policy: 'differentnode' })).toBe(TARGET);
  expect(await create('r4', { allocation_policy: 'differentnode' })).toBe('done');
  expect(await create('r5', { allocation_policy: 'differentnode', model: 'H100' })).toBe('done');
  expect(await update('r5', { model: MODEL })).toBe(clash('r4'));
});

describe('while the webhook is down', () => {
  test('nothing that breaks a rule gets in, and nothing that is to go stays', async () => {
    expect(await create('r1', { target_node: 'worker-1' })).toBe('done');
    await webhook.close();
    expect(await create('r2', { target_node: 'worker-1' })).toContain('failed calling webhook');
    expect(await update('r1', { size: 3 })).toContain('failed calling webhook');
    expect(await place('r1', ['worker-1'])).toBe('done');
    const labels = { metadata: { labels: { team: 'a' } } };
    expect(said(await client.patch(kind, { name: 'r1' }, { type: 'merge', value: labels }))).toBe('done');
    expect(said(await client.delete(kind, { name: 'r1' }))).toBe('done');
    expect(await client.get(kind, { name: 'r1' })).toMatchObject({ tag: 'found' });
    const finalizers = { metadata: { finalizers: null }, spec: { resource: { size: 0 } } };
    expect(said(await client.patch(kind, { name: 'r1' }, { type: 'merge', value: finalizers }))).toBe('done');
    expect(await client.get(kind, { name: 'r1' })).toEqual({ tag: 'notFound' });
  });
});
