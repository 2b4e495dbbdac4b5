import type { Log } from '@cro/cdi-core';
import type { Clock } from '@cro/clock';
import type { ComposableResource } from '@cro/crd-types';
import type { Cache, KubeClient } from '@cro/kube-runtime';
import type { Exec } from '@cro/kube-runtime/exec';
import {
  commandIdentity,
  commandVisibility,
  devicePluginNodeCluster,
  draNodeCluster,
  NodeLooks,
  noNodeActions,
  nvidiaActions,
  sliceIdentity,
  sliceVisibility,
  type GpuSupply,
  type NodeDeviceRef,
  type NodeSide,
} from '@cro/node-device';
import { deviceOf } from '@cro/state-machines';
import type { NodeObject } from '../kinds/node-kind.ts';
import type { NodeWatches } from './node-actions.ts';

/** How GPUs are seen on their nodes, and what is done there. */
export type GpuSide = Omit<NodeSide, 'fence'>;

/** What it needs of the operator. */
export interface GpuSideOptions {
  readonly watches: NodeWatches;
  readonly nodes: Cache<NodeObject>;
  /** Indexed by `node`. */
  readonly resources: Cache<ComposableResource>;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly exec: Exec;
  readonly log: Log;
  /** Whether the lease is certainly still held. */
  readonly leading: () => boolean;
}

/** Wires how GPUs are dealt with, by what the cluster sees of them. */
export function wireGpuSide(options: GpuSideOptions): GpuSide {
  const side = sideOf(options);
  options.nodes.subscribe((event) => {
    if (event.type === 'deleted') side.actions.forgetNode?.(event.object.metadata.name);
  });
  return side;
}

function sideOf({ watches, nodes, resources, leading, ...options }: GpuSideOptions): GpuSide {
  const { clock, log } = options;
  const exec = execWhileLeading(options.exec, leading);
  const hasGpuLabel = (node: string) => nodes.get(node)?.hasGpuLabel ?? false;
  const looks = new NodeLooks();
  switch (watches.tag) {
    case 'none':
      return { ...bySlices(watches), actions: noNodeActions(log) };
    case 'dra': {
      const cluster = draNodeCluster({ ...options, ...watches, ...watches.namespaces, hasGpuLabel });
      const actions = nvidiaActions({ cluster, clock, log, exec, looks, seenIn: 'slices' });
      return { ...bySlices(watches), actions };
    }
    case 'devicePlugin': {
      const supplyOf = (device: NodeDeviceRef) => gpuSupply(device, nodes, resources);
      const cluster = devicePluginNodeCluster({
        ...{ ...options, ...watches, ...watches.namespaces },
        ...{ hasGpuLabel, supplyOf },
      });
      return {
        visibility: commandVisibility({ looks, cluster }),
        identity: commandIdentity({ looks }),
        actions: nvidiaActions({ cluster, clock, log, exec, looks, seenIn: 'looks' }),
      };
    }
  }
}

function bySlices({ slices: cache, sliceDrivers }: Exclude<NodeWatches, { readonly tag: 'devicePlugin' }>) {
  return { visibility: sliceVisibility({ cache, sliceDrivers }), identity: sliceIdentity({ cache }) };
}

/** What a node offers its pods, and which GPUs beside this one are leaving it already, or are to. */
function gpuSupply(
  { node, resource: asking }: NodeDeviceRef,
  nodes: Cache<NodeObject>,
  resources: Cache<ComposableResource>,
): GpuSupply {
  const others = resources
    .byIndex('node', node)
    .filter(({ metadata, spec }) => metadata.name !== asking && spec.type === 'gpu');
  const detaching = others.filter((one) => one.status?.state === 'Detaching' && !isLeaving(one));
  return {
    allocatable: nodes.get(node)?.allocatable ?? {},
    leaving: others.filter(isLeaving).length,
    detaching: detaching.map(({ metadata, status }) => ({
      resource: metadata.name,
      deviceId: status?.device_id ?? '',
    })),
  };
}

/** The fabric is about to take it, or has it; or nobody asks whether it is in use. */
function isLeaving({ spec, status }: ComposableResource): boolean {
  const isForced = spec.force_detach === true && status?.state === 'Detaching';
  return isForced || status?.operation?.op === 'detach' || deviceOf(status) === 'released';
}

/** As `whileLeading`: nothing runs on a node once the lease is not certainly held. */
function execWhileLeading(exec: Exec, leading: () => boolean): Exec {
  return (request) =>
    leading()
      ? exec(request)
      : Promise.resolve({ tag: 'unreachable', message: 'the lease is not certainly held any more: nothing is sent' });
}
