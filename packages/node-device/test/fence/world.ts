import { KubeClient } from '@cro/kube-runtime';
import { inProcessTransport } from '@cro/kube-runtime/testing';
import type { TaintRuleVersion } from '@cro/kube-sim';
import { DeviceTaintFence, RuleAccess, type FenceRequest } from '../../src/index.ts';
import { simulatedCluster, slice } from '../simulated-cluster.ts';

export const RULES = 'devicetaintrules.resource.k8s.io';
export const NODE = 'worker-0';
export const RULE = 'gpu-1-taint';

/** The device of the ComposableResource `gpu-1`. */
export const request: FenceRequest = { node: NODE, deviceId: 'GPU-a', resource: { name: 'gpu-1', uid: 'uid-1' } };

/** The rule as the Go operator writes it. */
export const rule = {
  deviceSelector: { driver: 'gpu.nvidia.com', pool: NODE, device: 'gpu-0' },
  taint: { key: 'k8s.io/device-uuid', value: 'GPU-a', effect: 'NoSchedule' },
};

/** It, or another of its name, as it is stored. */
export function stored(version: string, spec: object = rule) {
  return { apiVersion: `resource.k8s.io/${version}`, kind: 'DeviceTaintRule', metadata: { name: RULE }, spec };
}

/** A cluster that shows the device GPU-a as gpu-0, a fence, and what it asked of the API server. */
export async function fenceWorld(versions: readonly TaintRuleVersion[]) {
  const cluster = simulatedCluster(versions);
  const { kube, clock, signal } = cluster;
  kube.objects.put(slice('s0', { nodeName: NODE, pool: pool(1) }, ['GPU-a', 'GPU-b']));
  const slices = cluster.startWatch();
  await slices.whenSynced(signal);
  const asked: string[] = [];
  /** Answers in place of the server, by the beginning of a request. */
  const answers = new Map<string, { readonly status: number; readonly body: string }>();
  const transport = inProcessTransport((sent, abort) => {
    const what = `${sent.method} ${sent.path.replace('/apis/resource.k8s.io', '')}`;
    asked.push(what);
    const answer = [...answers].find(([start]) => what.startsWith(start))?.[1];
    return answer === undefined ? kube.handle(sent, abort) : Promise.resolve({ headers: {}, ...answer });
  });
  const client = new KubeClient({ transport, clock, random: () => 0.5 });
  const told: string[] = [];
  const log = {
    info: (message: string) => told.push(message),
    warn: (message: string) => told.push(message),
  };
  const access = new RuleAccess({ client, clock, log });
  return {
    ...cluster,
    slices,
    answers,
    told,
    access,
    client,
    log,
    fence: new DeviceTaintFence({ client, slices, access }),
    /** The requests since the last look. */
    asked: () => asked.splice(0),
    rule: () => kube.objects.get(RULES, RULE),
  };
}

/** The pool of the node's slices. */
export function pool(generation: number) {
  return { name: NODE, generation, resourceSliceCount: 1 };
}

/** A refusal for lack of a permission, as the API server words it. */
export function forbidden(verb: string) {
  const message = `devicetaintrules.resource.k8s.io is forbidden: User "cro" cannot ${verb} resource "devicetaintrules"`;
  return { status: 403, body: JSON.stringify({ kind: 'Status', reason: 'Forbidden', message, code: 403 }) };
}
