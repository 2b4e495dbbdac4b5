import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock as clock } from '@cro/clock';
import { KubeClient, watchKind, type Transport } from '@cro/kube-runtime';
import { loadCluster, type Cluster } from '@cro/kube-runtime/kubeconfig';
import { until } from '@cro/demo';
import { inject } from 'vitest';
import { parseVersion, startControlPlane, type ControlPlane, type TaintRules } from '../../../src/index.ts';
import { crdKind, fieldAt } from './kinds.ts';

/** User agent of those who tell stories. */
export const STORY_AGENT = 'cro-story';

/** A control plane that knows our kinds, and the story's own way into it. */
export interface Plane {
  readonly control: ControlPlane;
  readonly directory: string;
  readonly transport: Cluster['transport'];
  readonly client: KubeClient;
  /** Sends a request and reads the answer, whatever it is. */
  send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: Body,
    accept?: string,
  ): Promise<Answer>;
  /** Resolves when objects of this definition, by its name, can be made. */
  untilServed(definition: string): Promise<void>;
  close(): Promise<void>;
}

/** A request's body. */
export interface Body {
  readonly type: string;
  readonly text: string;
}

/** An answer. `json` is empty when it is no JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const CRD_FOLDER = new URL('../../../../../deploy/crd/', import.meta.url);
const CRD_NAMES = ['composabilityrequests', 'composableresources'];

/** What a control plane has besides etcd, the API server and our kinds. */
export interface PlaneParts {
  readonly controllers?: boolean;
  readonly crds?: readonly object[];
  readonly taintRules?: TaintRules;
}

/** Starts one, with controllers if asked for, and applies deploy/crd to it and the CustomResourceDefinitions `crds`. */
export async function startPlane(parts: PlaneParts = {}): Promise<Plane> {
  const { controllers = false, crds = [], taintRules = 'served' } = parts;
  const version = parseVersion(inject('kubeVersion'));
  if (version === undefined) throw new Error('the setup has provided no version');
  const directory = await mkdtemp(join(tmpdir(), 'cro-kube-'));
  const api = { etcd: inject('etcd'), 'kube-apiserver': inject('apiserver') };
  const binaries = controllers ? { ...api, ...inject('controllers') } : api;
  const place = { directory: join(directory, 'plane'), clock };
  const control = await startControlPlane({ version, binaries, taintRules, ...place });
  const loaded = loadCluster({ clock, kubeconfig: control.kubeconfigPath });
  if (loaded.tag === 'invalid') throw new Error(loaded.message);
  const { transport } = loaded.cluster;
  const client = new KubeClient({ transport, clock, random: Math.random, userAgent: STORY_AGENT });
  const plane: Plane = {
    control,
    directory,
    transport,
    client,
    untilServed: (definition) => untilServed(plane, definition),
    send: (method, path, body, accept) => send(transport, method, path, body, accept),
    async close() {
      transport.close();
      await control.stop();
      if (process.env['CRO_KUBE_KEEP'] === undefined) await rm(directory, { recursive: true });
      else process.stderr.write(`kept: ${directory}\n`);
    },
  };
  await applyCrds(plane, [...(await shippedCrds()), ...crds.map((crd) => JSON.stringify(crd))]);
  return plane;
}

function shippedCrds(): Promise<readonly string[]> {
  const files = CRD_NAMES.map((name) => new URL(`cro.hpsys.ibm.ie.com_${name}.yaml`, CRD_FOLDER));
  return Promise.all(files.map((file) => readFile(file, 'utf8')));
}

/** Strictly: an unknown field, or a schema that is not structural, is an error and no warning. */
async function applyCrds(plane: Plane, manifests: readonly string[]): Promise<void> {
  for (const text of manifests) {
    const answer = await plane.send('POST', `${CRDS}?fieldValidation=Strict`, { type: 'application/yaml', text });
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    if (answer.headers['warning'] !== undefined) throw new Error(answer.headers['warning']);
  }
  for (const name of CRD_NAMES) await untilServed(plane, `${name}.cro.hpsys.ibm.ie.com`);
}

async function untilServed({ transport, client }: Plane, definition: string): Promise<void> {
  const end = new AbortController();
  const crds = watchKind(crdKind, { client, transport, clock, random: Math.random, signal: end.signal });
  await until({
    clock,
    what: `${definition} is served`,
    on: [(look) => crds.subscribe(look)],
    value: () => (conditionOf(crds.get(definition), 'Established') === 'True' ? true : undefined),
    standing: () => JSON.stringify(crds.list().map((crd) => fieldAt(crd, 'status', 'conditions'))),
    withinMs: 30_000,
    signal: end.signal,
  });
  end.abort(new Error('seen'));
}

/** The status of a condition. */
export function conditionOf(object: unknown, type: string): unknown {
  const conditions = fieldAt(object, 'status', 'conditions');
  if (!Array.isArray(conditions)) return undefined;
  return fieldAt(
    conditions.find((one: unknown) => fieldAt(one, 'type') === type),
    'status',
  );
}

async function send(
  transport: Transport,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: Body,
  accept = 'application/json',
): Promise<Answer> {
  const headers = { 'user-agent': STORY_AGENT, accept, ...(body && { 'content-type': body.type }) };
  const request = { method, path, headers, ...(body && { body: body.text }) };
  const response = await transport.send(request, new AbortController().signal);
  let text = '';
  for await (const chunk of response.body) text += Buffer.from(chunk).toString();
  return { status: response.status, headers: response.headers, text, json: jsonOf(text) };
}

function jsonOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    // /readyz and the like answer plain text.
    return {};
  }
}
