import { readFileSync } from 'node:fs';
import { delay, systemClock as clock } from '@cro/clock';
import { until } from '@cro/demo';
import { watchKind, type Cache } from '@cro/kube-runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEPLOY, pathOf, shippedIn, type Manifest } from './support/deploy-files.ts';
import { daemonSetKind, fieldAt, namespaceKind, podKind, type PlainObject } from './support/kinds.ts';
import { startPlane, type Plane } from './support/plane.ts';

const NAMESPACE = 'composable-resource-operator-system';
const AGENT = { name: 'cro-node-agent', namespace: NAMESPACE };
const SHIPPED = ['crd/', 'rbac/', 'node-agent/'].flatMap(shippedIn);
const APPLY = 'application/apply-patch+yaml';
const JSON_TYPE = 'application/json';

let plane: Plane;
let pods: Cache<PlainObject>;
let daemonSets: Cache<PlainObject>;
const end = new AbortController();

beforeAll(async () => {
  plane = await startPlane({ controllers: true });
  const namespaces = new Set(SHIPPED.flatMap(({ manifest }) => manifest.metadata.namespace ?? []));
  for (const name of namespaces) {
    if (name === 'default') continue;
    expect(await plane.client.create(namespaceKind, { metadata: { name } })).toMatchObject({ tag: 'done' });
  }
  const options = { ...plane, clock, random: Math.random, namespace: NAMESPACE, signal: end.signal };
  pods = watchKind(podKind, { ...options, labelSelector: 'app=cro-node-agent' });
  daemonSets = watchKind(daemonSetKind, options);
});

afterAll(async () => {
  end.abort(new Error('the tests are over'));
  await plane.close();
});

/** As `kubectl apply --server-side` does it: an unknown field, or one that is there twice, is an error. */
async function apply(manifest: Manifest, text: string, dryRun: boolean) {
  const query = `fieldManager=kubectl&fieldValidation=Strict${dryRun ? '&dryRun=All' : ''}`;
  const {
    status,
    headers,
    text: answer,
  } = await plane.send('PATCH', `${pathOf(manifest)}?${query}`, {
    type: APPLY,
    text,
  });
  return { status, warning: headers['warning'], ...(status >= 300 && { answer }) };
}

test('there is something to apply', () => {
  expect(new Set(SHIPPED.map(({ manifest }) => manifest.kind))).toContain('DaemonSet');
});

describe('what is shipped is taken as it stands, and nothing of it is dropped', () => {
  test.each(SHIPPED.map((one) => [one.title, one] as const))('%s', async (_title, { manifest, text }) => {
    // The kinds are there from the start, as nothing of ours works without them.
    const isNew = manifest.kind !== 'CustomResourceDefinition';
    const taken = { status: isNew ? 201 : 200, warning: undefined };
    const stored = () => plane.send('GET', pathOf(manifest));
    expect(await apply(manifest, text, true)).toEqual(taken);
    if (isNew) expect((await stored()).status).toBe(404);
    expect(await apply(manifest, text, false)).toEqual(taken);
    expect((await stored()).json).toMatchObject(manifest);
    expect(await apply(manifest, text, false)).toEqual({ ...taken, status: 200 });
  });

  test('a field that nobody knows would be found', async () => {
    const { manifest, text } = SHIPPED.find((one) => one.manifest.kind === 'DaemonSet') ?? SHIPPED[0] ?? never();
    const wrong = text.replace('hostPID: true', 'hostPid: true');
    expect(wrong).not.toBe(text);
    const { status, answer } = await apply(manifest, wrong, true);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(answer).toContain('hostPid');
  });
});

describe('the node agent', () => {
  test('runs on each Linux node, tainted and cordoned ones too, and on no other', async () => {
    await makeNode('plain', 'linux', {});
    const taint = { key: 'nvidia.com/gpu', value: 'present', effect: 'NoExecute' };
    await makeNode('cordoned', 'linux', { unschedulable: true, taints: [taint] });
    await makeNode('windows', 'windows', {});
    const places = () => pods.list().map((pod) => String(fieldAt(pod, 'spec', 'nodeName')));
    const desired = () => fieldAt(daemonSets.get(AGENT.name, NAMESPACE), 'status', 'desiredNumberScheduled');
    await until({
      ...{ clock, what: 'the node agent is where it belongs', withinMs: 60_000, signal: end.signal },
      on: [(look) => pods.subscribe(look), (look) => daemonSets.subscribe(look)],
      value: () => (desired() === 2 && places().sort().join() === 'cordoned,plain' ? true : undefined),
      standing: () => `${JSON.stringify(desired())} ${places().join()}`,
    });
    const owner = { kind: 'DaemonSet', name: AGENT.name };
    for (const pod of pods.list()) {
      expect(pod).toMatchObject({ metadata: { ownerReferences: [owner] }, spec: { priority: 2_000_001_000 } });
      // Its token would be one more way into the cluster.
      expect(fieldAt(pod, 'spec', 'volumes')).toMatchObject([{ name: 'host-root', hostPath: { path: '/' } }]);
    }
  });

  test('is refused where its namespace enforces less than its README says, and by nothing else', async () => {
    const readme = readFileSync(new URL('node-agent/README.md', DEPLOY), 'utf8');
    const [, key = '', value = ''] = /kubectl label namespace \S+ ([\w./-]+)=(\w+)/.exec(readme) ?? [];
    const { json } = await plane.send('GET', `/apis/apps/v1/namespaces/${NAMESPACE}/daemonsets/${AGENT.name}`);
    const pod = {
      metadata: { name: 'by-hand', namespace: NAMESPACE },
      spec: fieldAt(json, 'spec', 'template', 'spec'),
    };
    // Admission reads the labels from a watch of its own, which may be late.
    const enforce = async (level: string, status: number) => {
      const body = {
        type: 'application/merge-patch+json',
        text: JSON.stringify({ metadata: { labels: { [key]: level } } }),
      };
      expect((await plane.send('PATCH', `/api/v1/namespaces/${NAMESPACE}`, body)).status).toBe(200);
      const path = `/api/v1/namespaces/${NAMESPACE}/pods?dryRun=All&fieldValidation=Strict`;
      const inTime = AbortSignal.timeout(10_000);
      for (;;) {
        const answer = await plane.send('POST', path, { type: JSON_TYPE, text: JSON.stringify(pod) });
        if (answer.status === status) return answer;
        await delay(clock, 20, inTime);
      }
    };
    expect(key).toBe('pod-security.kubernetes.io/enforce');
    expect((await enforce('baseline', 403)).text).toContain('privileged');
    await enforce(value, 201);
  });
});

async function makeNode(name: string, os: string, spec: object): Promise<void> {
  const room = { cpu: '8', memory: '16Gi', pods: '100' };
  const text = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/os': os } },
    spec,
    status: { capacity: room, allocatable: room, conditions: [{ type: 'Ready', status: 'True' }] },
  });
  expect((await plane.send('POST', '/api/v1/nodes', { type: JSON_TYPE, text })).status).toBe(201);
}

function never(): never {
  throw new Error('nothing is shipped');
}
