import type { ScalarResourceDetails } from '../composability-request.ts';
import type { ComposableResourceSpec } from '../composable-resource.ts';
import { goRequest, goResource, type GoObject, type GoStatus, type Ids } from './go-objects.ts';

/** Name of the request in every leftover. */
export const LEFT_REQUEST = 'story';
/** The node that its devices are on. */
export const LEFT_NODE = 'worker-0';
/** Their model. */
export const LEFT_MODEL = 'NVIDIA-A100-PCIE-80GB';

/** A moment at which the Go operator is replaced, and what has to come of it. */
export interface Leftover {
  readonly what: string;
  /** How many devices of the model the fabric has attached to the node's machine. */
  readonly attached: number;
  /** What is stored. `ids` are those of the attached devices. */
  readonly objects: (ids: readonly Ids[]) => readonly GoObject[];
  /** Which of the objects have been deleted, and are still there because of their finalizers. */
  readonly deleted?: 'all' | 'resources';
  /** How many devices the next operator attaches and detaches. */
  readonly calls: { readonly attach: number; readonly detach: number };
  /** With how many devices the request runs in the end; `gone`: no object is left. */
  readonly end: number | 'gone';
}

/** No device moves. */
export const NOT_ATTACHED = { attach: 0, detach: 0 };
/** One device goes back. */
export const GIVEN_BACK = { attach: 0, detach: 1 };
/** One device comes. */
export const ATTACHED = { attach: 1, detach: 0 };

/** What every resource asks for. */
export const spec: ComposableResourceSpec = {
  type: 'gpu',
  model: LEFT_MODEL,
  target_node: LEFT_NODE,
  force_detach: false,
};

/** Name of a resource, as the Go operator chooses them. */
export function nameOf(index: number): string {
  return `gpu-00000000-temp-uuid-0000-00000000000${index}`;
}

/** What the request asks for. */
export function wish(size: number): ScalarResourceDetails {
  return { type: 'gpu', model: LEFT_MODEL, size, force_detach: false, allocation_policy: 'samenode' };
}

/** A request in a state, with one resource for each status. `undefined`: chosen, and not created yet. */
export function family(state: string, statuses: readonly (GoStatus | undefined)[]): readonly GoObject[] {
  const entries = statuses.map(
    (status, index) => [nameOf(index), { ...(status ?? { state: '' }), node_name: LEFT_NODE }] as const,
  );
  const children = statuses.flatMap((status, index) =>
    status === undefined ? [] : goResource(nameOf(index), LEFT_REQUEST, spec, status),
  );
  return [goRequest(LEFT_REQUEST, wish(statuses.length), { state }, Object.fromEntries(entries)), ...children];
}

/** The status of a resource whose device is known. */
export function each(state: string, error?: string): (ids: Ids) => GoStatus {
  return (ids) => ({ state, ...ids, ...(error !== undefined && { error }) });
}
