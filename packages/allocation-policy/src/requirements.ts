import type { NodeRequirements } from '@cro/crd-types';
import type { Capacity } from './types.ts';

/** Each field of `other_spec`, and the amount of a node that it is compared with. Both are in the same unit. */
export const REQUIREMENTS = [
  { field: 'milli_cpu', amount: 'milliCpu' },
  { field: 'memory', amount: 'memory' },
  { field: 'ephemeral_storage', amount: 'ephemeralStorage' },
  { field: 'allowed_pod_number', amount: 'pods' },
] as const satisfies readonly { field: keyof NodeRequirements; amount: keyof Capacity }[];

/** One line of {@link REQUIREMENTS}. */
export type Requirement = (typeof REQUIREMENTS)[number];

/** True when `capacity` gives what one requirement asks for; what is not asked for is always given. */
export function meets(capacity: Capacity, requirements: NodeRequirements, { field, amount }: Requirement): boolean {
  const wanted = requirements[field];
  return wanted === undefined || capacity[amount] >= wanted;
}

/** True when `capacity` gives everything that is asked for. */
export function meetsAll(capacity: Capacity, requirements: NodeRequirements): boolean {
  return REQUIREMENTS.every((requirement) => meets(capacity, requirements, requirement));
}
