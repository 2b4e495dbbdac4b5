import { cleanText, type Availability, type CallContext, type ListedDevice, type Listing } from '@cro/cdi-core';
import { attachedOf } from './attached.ts';
import type { Cdim } from './cdim.ts';
import { freeGpus } from './choose.ts';
import { isBuiltIn, isGpu } from './gpu.ts';
import { machineOf, type Topology } from './topology.ts';
import type { Resource } from './wire.ts';

/** Every GPU on these machines that can be moved: one call, however many they are. */
export async function list(cdim: Cdim, machines: readonly string[], context: CallContext): Promise<Listing> {
  const asked = [...new Set(machines)];
  if (asked.length === 0) return { devices: [], unreadable: [] };
  const listed = await cdim.directory.list(context);
  if (listed.tag === 'failed') {
    return { devices: [], unreadable: asked.map((machine) => ({ machine, failure: listed.failure })) };
  }
  const { resources, topology } = listed;
  const wanted = new Set(asked);
  const unknown = asked.filter((machine) => !topology.machines.has(machine));
  return {
    devices: resources.flatMap((resource) => {
      const device = listedOf(cdim, resource, topology);
      return device !== undefined && wanted.has(device.machine) ? [device] : [];
    }),
    unreadable: unknown.map((machine) => ({
      machine,
      failure: { kind: 'Rejected', message: `machine '${cleanText(machine)}' is not known to CDIM` },
    })),
  };
}

function listedOf({ config, notebook }: Cdim, resource: Resource, topology: Topology): ListedDevice | undefined {
  const { device } = resource;
  if (!isGpu(device) || isBuiltIn(device)) return undefined;
  const shown = machineOf(resource, topology);
  // What we have brought somewhere ourselves a moment ago may not be shown there yet.
  const moved = notebook.movedTo(device.deviceID);
  if (moved?.machine === shown) notebook.isShown(device.deviceID);
  const machine = moved === undefined ? shown : moved.machine;
  if (machine === undefined) return undefined;
  return { machine, type: 'gpu', model: cleanText(device.model ?? ''), ...attachedOf(resource, config) };
}

/** How many GPUs of a model are free for any machine. */
export async function inventory(
  cdim: Cdim,
  { type, model }: { readonly type: string; readonly model: string },
  context: CallContext,
): Promise<Availability> {
  if (type !== 'gpu') return { tag: 'free', count: 0 };
  const free = await freeGpus(cdim, model, context);
  if (free.tag === 'failed') return { tag: 'unknown', failure: free.failure };
  return { tag: 'free', count: free.gpus.length };
}
