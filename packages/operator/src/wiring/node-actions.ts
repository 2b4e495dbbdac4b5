import { watchKind, type Access, type Cache } from '@cro/kube-runtime';
import {
  nvidiaDevicePluginAccess,
  nvidiaDraAccess,
  sliceIndexes,
  sliceKindWith,
  watchDevicePlugin,
  watchDra,
  watchDrivers,
  type DevicePluginWatches,
  type DraWatches,
  type DriverNamespaces,
  type DriverWatches,
  type NodeNamespaces,
  type ResourceSlice,
  type SliceDrivers,
  type WatchBase,
} from '@cro/node-device';

/** What is done on nodes when a device comes or goes. `none`: nothing, their own software notices. */
export type NodeActionsConfig =
  | { readonly tag: 'none' }
  | (Omit<NodeNamespaces, 'namespace'> & {
      readonly tag: 'nvidia';
      /** How long a DRA driver may take to publish by itself what came or left, before it is restarted, in milliseconds. */
      readonly publishWaitMs: number;
    })
  /** The same where NVIDIA's device plugin offers GPUs: ResourceSlices are not looked at. */
  | (Omit<DriverNamespaces, 'namespace'> & {
      readonly tag: 'nvidiaDevicePlugin';
      /** How long devices that come or go after each other are waited for before the plugin is restarted, in milliseconds. */
      readonly publishWaitMs: number;
    });

/** The ResourceSlices of the drivers that are looked at. */
interface SliceWatch {
  readonly slices: Cache<ResourceSlice>;
  readonly sliceDrivers: SliceDrivers;
}

/** What is watched of the nodes' devices. */
export type NodeWatches =
  | (SliceWatch & { readonly tag: 'none' })
  | (DriverWatches &
      DraWatches &
      SliceWatch & {
        readonly tag: 'dra';
        readonly namespaces: NodeNamespaces;
        readonly publishWaitMs: number;
      })
  | (DriverWatches &
      DevicePluginWatches & {
        readonly tag: 'devicePlugin';
        readonly namespaces: DriverNamespaces;
        readonly publishWaitMs: number;
      });

/** Whether ResourceSlices say what nodes have. */
export function seesSlices({ tag }: NodeActionsConfig): boolean {
  return tag !== 'nvidiaDevicePlugin';
}

/** The ResourceSlices, where they are looked at. */
export function slicesOf(watches: NodeWatches): Cache<ResourceSlice> | undefined {
  return watches.tag === 'devicePlugin' ? undefined : watches.slices;
}

/** What node actions ask of the API server. */
export function nodeActionsAccess(config: NodeActionsConfig, namespace: string): readonly Access[] {
  switch (config.tag) {
    case 'none':
      return [];
    case 'nvidia':
      return nvidiaDraAccess({ ...config, namespace });
    case 'nvidiaDevicePlugin':
      return nvidiaDevicePluginAccess({ ...config, namespace });
  }
}

/** Starts what is watched for them. */
export function watchForNodeActions(
  config: NodeActionsConfig,
  namespace: string,
  sliceDrivers: SliceDrivers,
  base: WatchBase,
): NodeWatches {
  const watchSlices = () => ({
    slices: watchKind(sliceKindWith(sliceDrivers), { ...base, indexes: sliceIndexes }),
    sliceDrivers,
  });
  switch (config.tag) {
    case 'none':
      return { tag: 'none', ...watchSlices() };
    case 'nvidia': {
      const namespaces = { ...config, namespace };
      const { publishWaitMs } = config;
      const watches = { ...watchDrivers(base, namespaces), ...watchDra(base, namespaces) };
      return { tag: 'dra', ...watchSlices(), namespaces, publishWaitMs, ...watches };
    }
    case 'nvidiaDevicePlugin': {
      const namespaces = { ...config, namespace };
      const { publishWaitMs } = config;
      const watches = { ...watchDrivers(base, namespaces), ...watchDevicePlugin(base, namespaces) };
      return { tag: 'devicePlugin', namespaces, publishWaitMs, ...watches };
    }
  }
}

/** Resolves when all of it has been read that may be read, and that there is. */
export async function nodeWatchesRead(watches: NodeWatches, signal: AbortSignal): Promise<void> {
  if (watches.tag === 'none') return;
  const { drivers, agents, policies } = watches;
  const others = watches.tag === 'dra' ? [watches.plugins, watches.claims] : Object.values(watches.daemons);
  await Promise.all([drivers, agents, policies, ...others].map((cache) => cache.whenSynced(signal)));
}
