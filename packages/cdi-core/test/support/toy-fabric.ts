import type { Asked, ListedDevice, MachineRead } from '@cro/cdi-core';
import type { CallContext } from '@cro/cdi-core';

export const context: CallContext = { signal: new AbortController().signal, timeoutMs: 1_000 };
export const wanted = { type: 'gpu', model: 'A100', machine: 'm-1' } as const;

export function device(cdiDeviceId: string, changes: Partial<ListedDevice> = {}): ListedDevice {
  return { machine: 'm-1', type: 'gpu', model: 'A100', cdiDeviceId, health: { level: 'ok' }, ...changes };
}

/** A machine whose devices are in a list, and that answers a change as it is told. */
export function toyFabric(devices: ListedDevice[] = []) {
  const fabric = {
    devices,
    asked: [] as unknown[],
    answer: { tag: 'inDoubt', failure: { kind: 'InDoubt', message: 'lost' } } as Asked,
    state: undefined as MachineRead | undefined,
    retryAfterMs: 5_000,
    read: (): Promise<MachineRead> => Promise.resolve(fabric.state ?? { tag: 'devices', devices: fabric.devices }),
    ask: (what: unknown): Promise<Asked> => {
      fabric.asked.push(what);
      return Promise.resolve(fabric.answer);
    },
  };
  return fabric;
}

let ids = 0;
export const maker = { provider: 'toy', newId: () => `id-${(ids += 1)}` };
