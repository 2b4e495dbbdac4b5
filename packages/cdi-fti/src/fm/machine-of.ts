import type { Machine, Machines } from './wire.ts';

/** The machine in an answer about one machine: the first is the one that was asked for. */
export type FoundMachine =
  | { readonly tag: 'machine'; readonly machine: Machine }
  | { readonly tag: 'absent' }
  | { readonly tag: 'other'; readonly problem: string };

/** Finds the machine that was asked for; a server that names another one is not to be believed. */
export function machineOf(answer: Machines, asked: string): FoundMachine {
  const machine = answer.data.machines?.[0];
  if (machine === undefined) return { tag: 'absent' };
  if (machine.mach_uuid === undefined || machine.mach_uuid === asked) return { tag: 'machine', machine };
  return { tag: 'other', problem: 'data.machines[0].mach_uuid: found another machine than the one asked for' };
}
