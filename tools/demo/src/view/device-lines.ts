import type { ComposableResource } from '@cro/crd-types';

/** One device, as a person watches it. */
export interface DeviceLine {
  readonly name: string;
  readonly node: string;
  /** `new` for an object that the operator has not seen yet. */
  readonly state: string;
  /** What the node calls it; empty until that is known. */
  readonly device: string;
  /** What it waits for or fails at; empty when nothing. */
  readonly waitsFor: string;
}

/** What to show of a resource. */
export function deviceLine(resource: ComposableResource): DeviceLine {
  const { status } = resource;
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const message = ready === undefined || ready.status === 'True' ? '' : ready.message || ready.reason;
  return {
    name: shortName(resource.metadata.name),
    node: resource.spec.target_node,
    state: status === undefined || status.state === '' ? 'new' : status.state,
    device: status?.device_id ?? '',
    waitsFor: status?.error ?? message,
  };
}

/** `gpu-0a1b2c3d` of `gpu-0a1b2c3d-....`: enough to tell devices apart. */
function shortName(name: string): string {
  return /^[a-z]+-[0-9a-f]{8}/.exec(name)?.[0] ?? name;
}

/** The line in words, for plain output. */
export function inWords({ name, node, state, device, waitsFor }: DeviceLine): string {
  const parts = [name, node, state, device, waitsFor === '' ? '' : `- ${waitsFor}`];
  return parts.filter((part) => part !== '').join('  ');
}
