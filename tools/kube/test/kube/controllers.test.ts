import { readFile } from 'node:fs/promises';
import { systemClock as clock } from '@cro/clock';
import { until } from '@cro/demo';
import { HttpsTransport, KubeClient, watchKind, type Cache } from '@cro/kube-runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  configMapKind,
  fieldAt,
  namespaceKind,
  podKind,
  serviceAccountKind,
  type PlainObject,
} from './support/kinds.ts';
import { startPlane, type Plane } from './support/plane.ts';

const NAMESPACE = 'controlled';

let plane: Plane;
let configMaps: Cache<PlainObject>;
let serviceAccounts: Cache<PlainObject>;
let pods: Cache<PlainObject>;
const end = new AbortController();

beforeAll(async () => {
  plane = await startPlane({ controllers: true });
  const options = { ...plane, clock, random: Math.random, signal: end.signal };
  configMaps = watchKind(configMapKind, options);
  serviceAccounts = watchKind(serviceAccountKind, options);
  pods = watchKind(podKind, options);
});

afterAll(async () => {
  end.abort(new Error('the tests are over'));
  await plane.close();
});

async function untilSeen(cache: Cache<PlainObject>, what: string, isSo: () => boolean): Promise<void> {
  const value = () => (isSo() ? true : undefined);
  await until({ clock, what, on: [(look) => cache.subscribe(look)], value, withinMs: 60_000, signal: end.signal });
}

test('a new namespace gets its default ServiceAccount', async () => {
  expect(await plane.client.create(namespaceKind, { metadata: { name: NAMESPACE } })).toMatchObject({ tag: 'done' });
  const isThere = () => serviceAccounts.get('default', NAMESPACE) !== undefined;
  await untilSeen(serviceAccounts, 'the ServiceAccount default is made', isThere);
});

test('what is owned goes with its owner', async () => {
  const owner = await plane.client.create(configMapKind, { metadata: { name: 'owner', namespace: NAMESPACE } });
  if (owner.tag !== 'done') throw new Error(JSON.stringify(owner));
  const { uid } = owner.object.metadata;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
  const metadata = { name: 'owned', namespace: NAMESPACE, ownerReferences };
  expect(await plane.client.create(configMapKind, { metadata })).toMatchObject({ tag: 'done' });
  await untilSeen(configMaps, 'the owned is there', () => configMaps.get('owned', NAMESPACE) !== undefined);
  expect(await plane.client.delete(configMapKind, { name: 'owner', namespace: NAMESPACE })).toMatchObject({
    tag: 'done',
  });
  await untilSeen(configMaps, 'the owned is gone', () => configMaps.get('owned', NAMESPACE) === undefined);
});

test('a pod is placed on a node, and a node without heartbeats stays as it is', async () => {
  const status = {
    capacity: { cpu: '8', memory: '16Gi', pods: '100' },
    allocatable: { cpu: '8', memory: '16Gi', pods: '100' },
    conditions: [{ type: 'Ready', status: 'True' }],
  };
  const node = JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'silent' }, status });
  const made = await plane.send('POST', '/api/v1/nodes', { type: 'application/json', text: node });
  expect(made.status).toBe(201);
  const spec = { containers: [{ name: 'main', image: 'example.com/none' }] };
  expect(await plane.client.create(podKind, { metadata: { name: 'p', namespace: NAMESPACE }, spec })).toMatchObject({
    tag: 'done',
  });
  const nodeName = () => fieldAt(pods.get('p', NAMESPACE), 'spec', 'nodeName');
  await untilSeen(pods, 'the pod is placed', () => nodeName() === 'silent');
  expect((await plane.send('GET', '/api/v1/nodes/silent')).json).not.toHaveProperty('spec.taints');
});

test("a ServiceAccount's token may do what its roles say, and nothing else", async () => {
  const post = async (path: string, value: object) => {
    const answer = await plane.send('POST', path, { type: 'application/json', text: JSON.stringify(value) });
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return answer.json;
  };
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${NAMESPACE}`;
  await post(`${rbac}/roles`, {
    metadata: { name: 'reader' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }],
  });
  await post(`${rbac}/rolebindings`, {
    metadata: { name: 'reader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
    subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: NAMESPACE }],
  });
  const made = await post(`/api/v1/namespaces/${NAMESPACE}/serviceaccounts/default/token`, {
    spec: { expirationSeconds: 600 },
  });
  const client = await clientOf(String(fieldAt(made, 'status', 'token')));
  const ref = { name: 'kube-root-ca.crt', namespace: NAMESPACE };
  await untilSeen(configMaps, 'the CA is published', () => configMaps.get(ref.name, NAMESPACE) !== undefined);
  expect(await client.get(configMapKind, ref)).toMatchObject({ tag: 'found' });
  const who = `User "system:serviceaccount:${NAMESPACE}:default" cannot delete resource "configmaps"`;
  const message = expect.stringContaining(who) as string;
  expect(await client.delete(configMapKind, ref)).toMatchObject({ tag: 'refused', error: { status: 403, message } });
});

/** The way into the control plane of somebody with a bearer token. */
async function clientOf(token: string): Promise<KubeClient> {
  const ca = await readFile(plane.control.kubelet.ca);
  const credentials = {
    current: () => Promise.resolve({ ca, headers: { authorization: `Bearer ${token}` } }),
    refused: () => undefined,
  };
  const transport = new HttpsTransport({ server: new URL(plane.control.url), credentials });
  end.signal.addEventListener('abort', () => {
    transport.close();
  });
  return new KubeClient({ transport, clock, random: Math.random });
}
