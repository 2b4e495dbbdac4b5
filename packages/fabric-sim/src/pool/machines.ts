import type { Machine, MachineSpec } from './device.ts';

/** Gives machines and fabrics their numbers, from 1 in the order in which they are named. */
export function numberMachines(specs: readonly MachineSpec[]): ReadonlyMap<string, Machine> {
  const fabrics = new Map<string, number>();
  const machines = new Map<string, Machine>();
  for (const spec of specs) {
    if (machines.has(spec.machUuid)) throw new Error(`two machines have the UUID ${spec.machUuid}`);
    const fabricId = fabrics.get(spec.fabricUuid) ?? fabrics.size + 1;
    fabrics.set(spec.fabricUuid, fabricId);
    machines.set(spec.machUuid, { ...spec, fabricId, machId: machines.size + 1 });
  }
  return machines;
}
