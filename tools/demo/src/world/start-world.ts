import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orderly } from '@cro/node-sim';
import { startControlPlane, type ControlPlane } from './control-plane.ts';
import { startFabric, type ServedFabric } from './fabric.ts';
import { covered, type Interval } from './intervals.ts';
import { setChain } from './machine-chain.ts';
import { NODE_AGENT } from './node-api.ts';
import { makeNodes } from './nodes.ts';
import { leaseVersion, readingSigns, webhookIsTrusted, type ReadingSigns } from './operator-signs.ts';
import { checkOperator, prepareOperators, type Operators } from './operators.ts';
import type { WorldOptions } from './options.ts';
import { STORY_AGENT, type Plane, type StartPlane } from './plane.ts';
import { setFailurePolicy, setScene } from './scene.ts';
import { Trouble } from './trouble.ts';
import { until } from './until.ts';
import { startWatches, type Watches } from './watches.ts';
import type { SimWorld, World } from './world.ts';

interface Parts {
  readonly options: WorldOptions & { readonly webhook: boolean };
  readonly trouble: Trouble;
  readonly control: Plane;
  readonly reading: ReadingSigns | undefined;
  readonly fabric: ServedFabric;
  readonly operators: Operators;
  readonly watches: Watches;
}

/** Brings up a world on a simulated control plane. No operator runs in it yet. */
export async function startWorld(given: WorldOptions): Promise<SimWorld> {
  const control: { plane?: ControlPlane } = {};
  const world = await bringUp(given, async (directory) => {
    control.plane = await startControlPlane(given, directory);
    return { plane: control.plane, reading: readingSigns(control.plane.sim, [STORY_AGENT, NODE_AGENT]) };
  });
  if (control.plane === undefined) throw new Error('the control plane was not started');
  return { ...world, kube: control.plane.sim };
}

/** Brings up a world on another control plane. `untilOperatorLeads` does not wait there until everything has been read. */
export function startWorldOn(start: StartPlane, given: WorldOptions): Promise<World> {
  return bringUp(given, async (directory) => ({ plane: await start(directory), reading: undefined }));
}

type Started = Promise<{ readonly plane: Plane; readonly reading: ReadingSigns | undefined }>;

async function bringUp(given: WorldOptions, start: (directory: string) => Started): Promise<World> {
  checkOperator(given);
  const options = { ...given, webhook: given.webhook ?? true };
  const directory = await mkdtemp(join(tmpdir(), 'cro-world-'));
  const end = new AbortController();
  const trouble = new Trouble();
  if (given.interrupted !== undefined) trouble.endsWith(given.interrupted);
  const { plane: control, reading } = await start(directory);
  const fabric = await startFabric(options);
  const operators = await startPlace(options, directory, control, fabric, trouble);
  await setScene(control, fabric.credentials, options.webhook ? operators.webhookPort : undefined);
  if (fabric.byChain === true) await setChain(control, fabric.machines);
  const nodes = await makeNodes(options, control, fabric, trouble, end.signal);
  await nodes.start();
  const watches = await startWatches(options, control, end.signal);
  return {
    ...assemble({ options, trouble, control, reading, fabric, operators, watches }),
    fabric: options.equipment === undefined ? fabric.sim : orderly(fabric.sim, nodes),
    nodes,
    async close({ keep = false } = {}) {
      try {
        await operators.stop();
      } finally {
        nodes.stop();
        end.abort(new Error('the world is closed'));
        await Promise.all([fabric.close(), control.close()]);
      }
      if (!keep) await rm(directory, { recursive: true });
    },
  };
}

async function startPlace(
  options: Parts['options'],
  directory: string,
  control: Plane,
  fabric: ServedFabric,
  trouble: Trouble,
): Promise<Operators> {
  const fabricCaPath = join(directory, 'fabric-ca.pem');
  await writeFile(fabricCaPath, fabric.caPem);
  const { webhook } = options;
  const place = { kubeconfigPath: control.kubeconfigPath, fabricEnv: fabric.env, fabricCaPath, webhook };
  return prepareOperators(options, place, directory, (exit, operator) => {
    trouble.operatorEnded(exit, operator);
  });
}

function assemble(parts: Parts): Omit<World, 'fabric' | 'nodes' | 'close'> {
  const { options, trouble, control, reading, fabric, operators, watches } = parts;
  const { clock } = options;
  const { signal } = trouble;
  let leaseBefore: string | undefined;
  return {
    attachMethod: fabric.attachMethod,
    memoryModel: fabric.memoryModel,
    client: control.client,
    requests: watches.requests,
    resources: watches.resources,
    machines: new Map(fabric.machines.map(({ machUuid }, n) => [`worker-${n}`, machUuid])),
    kubeconfigPath: control.kubeconfigPath,
    logPath: operators.logPath,
    trouble: signal,
    startOperator(start) {
      leaseBefore = leaseVersion(watches);
      reading?.restart();
      return operators.start(start);
    },
    async untilOperatorLeads(withinMs) {
      const leads = () => ![undefined, leaseBefore].includes(leaseVersion(watches));
      const hasRead = () => reading?.hasReadAll() ?? true;
      const isTrusted = () => !options.webhook || webhookIsTrusted(watches);
      await until({
        clock,
        what: 'an operator leads and has read everything, and the API server trusts its webhook',
        on: [
          (look) => watches.leases.subscribe(look),
          (look) => watches.webhooks.subscribe(look),
          (look) => reading?.subscribe(look) ?? (() => undefined),
        ],
        value: () => (leads() && hasRead() && isTrusted() ? true : undefined),
        standing: () => `leads: ${leads()}, has read: ${hasRead()}, is trusted: ${isTrusted()}`,
        withinMs,
        signal,
      });
    },
    async untilNobodyLeads(withinMs) {
      const on = [(look: () => void) => watches.leases.subscribe(look)];
      const value = () => (leaseVersion(watches) === undefined ? true : undefined);
      await until({ clock, what: 'nobody holds the lease', on, value, withinMs, signal });
    },
    async whileWebhookIsDown(policy) {
      if (options.webhook) await setFailurePolicy(control, policy);
    },
    put: (object) => control.put(object),
    async nextFabricCall(method, withinMs) {
      let called = false;
      const listen = (look: () => void) =>
        fabric.onRequest((request) => {
          called ||= request.method === method;
          look();
        });
      const value = () => (called ? true : undefined);
      await until({ clock, what: `the fabric gets a ${method}`, on: [listen], value, withinMs, signal });
    },
    fabricMs: (within) => covered(changesOf(fabric, options), within),
    operatorCounts: () => control.operatorCounts(),
  };
}

/** From when until when the fabric was at work on each change. It works on when the client has its answer, or has hung up. */
function changesOf(
  { sim, asynchronous }: ServedFabric,
  { clock, attachMs = 0, detachMs = 0 }: WorldOptions,
): Interval[] {
  return sim
    .callLog()
    .filter(({ kind }) => kind === 'attach' || kind === 'detach')
    .map(({ kind, startedMs, endedMs = clock.monotonic(), end }) => {
      const workMs = kind === 'attach' ? attachMs : detachMs;
      return { from: startedMs, to: asynchronous || end.tag === 'hungUp' ? startedMs + workMs : endedMs };
    });
}
