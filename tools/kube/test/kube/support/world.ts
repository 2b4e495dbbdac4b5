import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock as clock } from '@cro/clock';
import type { ComposabilityRequest, ComposableResource } from '@cro/crd-types';
import { nodeApi, requestKind, resourceKind, until } from '@cro/demo';
import { createFabricSim, makeGpus, makeMachines, serve, type FabricCore, type FabricSim } from '@cro/fabric-sim';
import { watchKind, type Cache, type Kind, type KubeObject } from '@cro/kube-runtime';
import {
  CLUSTER_POLICY_CRD,
  createNodeSim,
  DRA_PLUGIN,
  DRIVER_POD,
  orderly,
  type Equipment,
  type NodeSim,
} from '@cro/node-sim';
import { WEBHOOK_NAME, validatingWebhookConfiguration } from '@cro/webhook';
import { freePorts, type Program, type TaintRules } from '../../../src/index.ts';
import {
  configMapKind,
  fieldAt,
  leaseKind,
  namespaceKind,
  secretKind,
  sliceKind,
  webhookKind,
  type PlainObject,
} from './kinds.ts';
import { giveRoles, OPERATOR_ROLES, type Account } from './account.ts';
import { startKubelets } from './kubelets.ts';
import { startOperator } from './operator.ts';
import { startPlane, type Plane } from './plane.ts';
import { keepRecord } from './used-access.ts';

export const NAMESPACE = 'composable-resource-operator-system';
export const MODEL = 'NVIDIA-A100-PCIE-80GB';
/** Name of the operator's lease, as in the Go operator. */
export const LEASE = 'c5744f42.hpsys.ibm.ie.com';
const WEBHOOK_CONFIGURATION = 'composable-resource-operator-validating-webhook-configuration';

/** Where the operator has rights of its own kind: it runs in the first, and works for nodes in the others. */
const NAMESPACES = [NAMESPACE, DRIVER_POD.namespace, DRA_PLUGIN.namespace];

/** A real control plane with a simulated fabric and simulated nodes, and operators on request. */
export interface World extends Plane {
  readonly fabric: FabricSim;
  readonly nodes: NodeSim;
  readonly caches: Caches;
  readonly logPath: string;
  /** What the operators run as. */
  readonly account: Account;
  /** What the operators do on nodes: with pods that commands can run in, what the node needs. */
  readonly nodeActions: 'nvidia' | 'none';
  /** Aborts when something ends or fails that should not. */
  readonly trouble: AbortSignal;
  /** Makes it so. */
  readonly fail: (error: unknown) => void;
  /** Starts an operator, with further environment variables, and waits until it leads, and its webhook is trusted where there is one. */
  startOperator(env?: Readonly<Record<string, string>>): Promise<Program>;
  /** Resolves when a PATCH arrives at the fabric, before it does anything. */
  nextFabricPatch(): Promise<void>;
}

/** What the world watches. */
export interface Caches {
  readonly requests: Cache<ComposabilityRequest>;
  readonly resources: Cache<ComposableResource>;
  readonly leases: Cache<PlainObject>;
  readonly webhooks: Cache<PlainObject>;
  readonly secrets: Cache<PlainObject>;
  readonly configMaps: Cache<PlainObject>;
  readonly slices: Cache<PlainObject>;
}

/** The fabric of every world. */
export const FABRIC = {
  nodes: 3,
  devices: 8,
  attachMs: 300,
  detachMs: 100,
  tenant: '00000000-3000-4000-8000-000000000000',
};
const LEADS_WITHIN_MS = 60_000;

/** What may be otherwise in a world. */
export interface WorldOptions {
  /** Whether the API server asks the operator's webhook. Default true; then an operator has to run that serves it. */
  readonly webhook?: boolean;
  /** How long a node's driver takes to publish a device, in milliseconds. Default 0. */
  readonly publishDelayMs?: number;
  /**
   * What the nodes have beside their GPUs; they have kubelets then, and with pods that commands can run in, the operator does what a node
   * needs when a device comes or goes. `fabric.assertPoolWhole` throws too when a GPU was pulled that its
   * node had not let go. Default: nothing.
   */
  readonly equipment?: Equipment;
  /** Folders with the roles that the operators run under. Default: those that the operator ships with, and nothing else. */
  readonly roles?: readonly URL[];
  /** Whether the API server offers DeviceTaintRules. Default: it does. */
  readonly taintRules?: TaintRules;
}

/** Brings up a world. No operator runs in it yet. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { webhook = true, roles = OPERATOR_ROLES, taintRules = 'served', equipment } = options;
  const plane = await startPlane({ taintRules, crds: [CLUSTER_POLICY_CRD] });
  await plane.untilServed(CLUSTER_POLICY_CRD.metadata.name);
  const end = new AbortController();
  const trouble = new AbortController();
  const fail = (error: unknown) => {
    trouble.abort(error);
  };
  plane.control.failed.catch(fail);
  const fabric = await startFabric(plane);
  const [webhookPort = 0] = await freePorts(1);
  await setScene(plane, fabric.sim, webhook ? webhookPort : undefined);
  const account = await giveRoles(plane, roles);
  const { nodes, stopKubelets } = await startNodes(plane, fabric.sim, options, { fail, signal: end.signal });
  await nodes.start();
  const caches = await startCaches(plane, end.signal);
  const logPath = join(plane.directory, 'operator.log');
  const operators = new Set<Program>();
  const nodeActions = equipment?.pods === undefined ? 'none' : 'nvidia';
  return {
    ...plane,
    fabric: equipment === undefined ? fabric.sim : orderly(fabric.sim, nodes),
    nodes,
    caches,
    logPath,
    account,
    nodeActions,
    trouble: trouble.signal,
    fail,
    async startOperator(env = {}) {
      const before = holderOf(caches);
      const { kubeconfigPath } = account;
      const place = { kubeconfigPath, endpoint: fabric.endpoint, caPath: fabric.caPath, tenant: FABRIC.tenant };
      const own = { namespace: NAMESPACE, webhookPort, logPath, nodeActions, env } as const;
      const operator = await startOperator({ ...place, ...own });
      operators.add(operator);
      operator.failed.catch(fail);
      await untilLeads(caches, before, logPath, trouble.signal);
      return operator;
    },
    async nextFabricPatch() {
      let called = false;
      await until({
        clock,
        what: 'the fabric gets a PATCH',
        on: [
          (look) =>
            fabric.onPatch(() => {
              called = true;
              look();
            }),
        ],
        value: () => (called ? true : undefined),
        withinMs: 30_000,
        signal: trouble.signal,
      });
    },
    async close() {
      for (const operator of operators) await operator.kill();
      nodes.stop();
      await stopKubelets();
      await keepRecord(plane.control.auditLogPath);
      end.abort(new Error('the world is closed'));
      await fabric.close();
      await plane.close();
    },
  };
}

async function startFabric({ directory }: Plane) {
  const { nodes, devices, attachMs, detachMs, tenant } = FABRIC;
  const specs = { devices: makeGpus(devices, MODEL), machines: makeMachines(nodes) };
  const sim = createFabricSim({ clock, random: Math.random, ...specs, tenant, attachMs, detachMs });
  const listeners = new Set<() => void>();
  const core: FabricCore = {
    handle(request, signal) {
      if (request.method === 'PATCH') for (const listener of [...listeners]) listener();
      return sim.handle(request, signal);
    },
  };
  const { endpoint, caPem, close } = await serve(core, { clock });
  const caPath = join(directory, 'fabric-ca.pem');
  await writeFile(caPath, caPem);
  const onPatch = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return { sim, endpoint, caPath, onPatch, close };
}

/** The namespaces, the operator's credentials, and perhaps a webhook configuration that points beside the cluster. */
async function setScene({ client }: Plane, fabric: FabricSim, webhookPort: number | undefined): Promise<void> {
  const { username, password, clientId, clientSecret, realm } = fabric.credentials;
  const stringData = { username, password, client_id: clientId, client_secret: clientSecret, realm };
  const outcomes = [
    ...(await Promise.all(NAMESPACES.map((name) => client.create(namespaceKind, { metadata: { name } })))),
    await client.create(secretKind, { metadata: { name: 'credentials', namespace: NAMESPACE }, stringData }),
  ];
  if (webhookPort !== undefined) {
    const address = { url: `https://127.0.0.1:${webhookPort}` };
    const configuration = validatingWebhookConfiguration({ name: WEBHOOK_CONFIGURATION, address });
    outcomes.push(await client.create(webhookKind, configuration));
  }
  for (const outcome of outcomes) if (outcome.tag !== 'done') throw new Error(JSON.stringify(outcome));
}

async function startNodes(
  plane: Plane,
  fabric: FabricSim,
  { publishDelayMs = 0, equipment }: WorldOptions,
  { fail, signal }: { readonly fail: (error: Error) => void; readonly signal: AbortSignal },
) {
  const machines = makeMachines(FABRIC.nodes);
  const names = machines.map((_, n) => `worker-${n}`);
  const kubelets = equipment === undefined ? undefined : await startKubelets(plane, names);
  const { host, ...others } = equipment ?? {};
  const nodes = createNodeSim({
    clock,
    fabric,
    api: nodeApi(plane.transport, { clock, signal }),
    nodes: machines.map(({ machUuid }, n) => {
      const kubeletPort = kubelets?.portOf(`worker-${n}`);
      return {
        name: `worker-${n}`,
        machUuid,
        ...(host && { host }),
        ...(kubeletPort !== undefined && { kubeletPort }),
      };
    }),
    publishDelayMs,
    ...others,
    report: ({ doing, message, final }) => {
      if (final) fail(new Error(`a simulated node cannot ${doing}: ${message}`));
    },
  });
  kubelets?.serve(nodes);
  return { nodes, stopKubelets: async () => kubelets?.stop() };
}

async function startCaches({ client, transport }: Plane, signal: AbortSignal): Promise<Caches> {
  const watch = <T extends KubeObject>(kind: Kind<T>) =>
    watchKind(kind, { client, transport, clock, random: Math.random, signal });
  const caches = {
    requests: watch(requestKind),
    resources: watch(resourceKind),
    leases: watch(leaseKind),
    webhooks: watch(webhookKind),
    secrets: watch(secretKind),
    configMaps: watch(configMapKind),
    slices: watch(sliceKind),
  };
  await Promise.all(Object.values(caches).map((cache) => cache.whenSynced(signal)));
  return caches;
}

function holderOf({ leases }: Caches): unknown {
  return fieldAt(leases.get(LEASE, NAMESPACE), 'spec', 'holderIdentity');
}

/** Whether the API server trusts the webhook, if it is to ask one. */
function isTrusted({ webhooks }: Caches): boolean {
  const configuration = webhooks.get(WEBHOOK_CONFIGURATION);
  if (configuration === undefined) return true;
  const configured: unknown = fieldAt(configuration, 'webhooks');
  const all: readonly unknown[] = Array.isArray(configured) ? configured : [];
  const ours = all.find((one) => fieldAt(one, 'name') === WEBHOOK_NAME);
  return typeof fieldAt(ours, 'clientConfig', 'caBundle') === 'string';
}

async function untilLeads(caches: Caches, before: unknown, logPath: string, signal: AbortSignal): Promise<void> {
  const leads = () => ![undefined, '', before].includes(holderOf(caches));
  await until({
    clock,
    what: 'an operator leads, and the API server trusts its webhook',
    on: [(look) => caches.leases.subscribe(look), (look) => caches.webhooks.subscribe(look)],
    value: () => (leads() && isTrusted(caches) ? true : undefined),
    standing: () => `leads: ${leads()}, is trusted: ${isTrusted(caches)}, its log:\n${readFileSync(logPath, 'utf8')}`,
    withinMs: LEADS_WITHIN_MS,
    signal,
  });
}
