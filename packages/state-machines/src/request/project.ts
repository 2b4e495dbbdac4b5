import {
  FINALIZER,
  type ComposabilityRequest,
  type ComposableResource,
  type RequestState,
  type ScalarResourceDetails,
} from '@cro/crd-types';
import { holdWhile, pausedBy } from '../resource/project.ts';
import type { RequestFacts, RequestWords } from './facts.ts';

const STATES: Readonly<Record<string, RequestState>> = {
  '': '',
  NodeAllocating: 'NodeAllocating',
  Updating: 'Updating',
  Running: 'Running',
  Cleaning: 'Cleaning',
  Deleting: 'Deleting',
} satisfies { readonly [State in RequestState]: State };

/** The state of a request; `undefined` when somebody wrote a word that is none. */
export function requestStateOf(request: ComposabilityRequest): RequestState | undefined {
  const state = request.status?.state ?? '';
  return Object.hasOwn(STATES, state) ? STATES[state] : undefined;
}

/** What the interpreter knows beside the request and its children. */
export interface RequestKnowledge {
  /** The node named in `target_node`. */
  readonly target: RequestFacts['target'];
  /** Whether this operator drains: it starts nothing new, so that another one can take over. */
  readonly draining: boolean;
}

/** Projects a request, its children and its target node to finite facts. */
export function requestFacts(
  request: ComposabilityRequest,
  state: RequestState,
  children: readonly ComposableResource[],
  { target, draining }: RequestKnowledge,
): RequestFacts {
  const planned = request.status?.resources ?? {};
  const alive = new Map(children.filter((child) => !isLeaving(child)).map((child) => [child.metadata.name, child]));
  const absent = Object.entries(planned).filter(([name]) => !alive.has(name));
  const leaving = new Set(children.filter(isLeaving).map((child) => child.metadata.name));
  const wasCreated = ([name, entry]: (typeof absent)[number]) => entry.state !== '' || leaving.has(name);
  return {
    state,
    goal: request.metadata.deletionTimestamp === undefined ? 'present' : 'gone',
    finalizer: request.metadata.finalizers?.includes(FINALIZER) ?? false,
    shared: request.metadata.finalizers?.some((one) => one !== FINALIZER) ?? false,
    hold: holdWhile(draining, request.metadata),
    target,
    plan: planOf(request),
    missing: some(absent.some((entry) => !wasCreated(entry))),
    lost: some(absent.some(wasCreated)),
    extra: some([...alive.keys()].some((name) => !Object.hasOwn(planned, name))),
    unowned: some([...alive.values()].some((child) => isPlannedAndUnowned(request, child))),
    online: countOnline(planned, alive) === Object.keys(planned).length ? 'all' : 'notAll',
    children: childrenOf(children),
  };
}

/** The texts of a request for messages. */
export function requestWords(request: ComposabilityRequest, children: readonly ComposableResource[]): RequestWords {
  const planned = request.status?.resources ?? {};
  const alive = new Map(children.map((child) => [child.metadata.name, child]));
  const failing = Object.keys(planned)
    .sort()
    .flatMap((name) => alive.get(name)?.status?.error ?? []);
  return {
    targetNode: request.spec.resource.target_node ?? '',
    pausedBy: pausedBy(request.metadata),
    online: countOnline(planned, alive),
    planned: Object.keys(planned).length,
    childError: failing[0] ?? '',
  };
}

/** Whether a child is on its way out, by its own state or by deletion. */
export function isLeaving(child: ComposableResource): boolean {
  const state = child.status?.state;
  return child.metadata.deletionTimestamp !== undefined || state === 'Detaching' || state === 'Deleting';
}

/** Whether a child that the plan names does not name the request as its owner. */
export function isPlannedAndUnowned({ metadata, status }: ComposabilityRequest, child: ComposableResource): boolean {
  const owners = child.metadata.ownerReferences ?? [];
  return Object.hasOwn(status?.resources ?? {}, child.metadata.name) && owners.every(({ uid }) => uid !== metadata.uid);
}

/** Whether two specs ask for the same. A missing policy is the default one. */
export function sameResource(left: ScalarResourceDetails, right: ScalarResourceDetails): boolean {
  return JSON.stringify(canonical(left)) === JSON.stringify(canonical(right));
}

function canonical(resource: ScalarResourceDetails): unknown[] {
  const other = resource.other_spec ?? {};
  return [
    resource.type,
    resource.model,
    resource.size,
    resource.force_detach ?? false,
    resource.allocation_policy ?? 'samenode',
    resource.target_node ?? '',
    [other.milli_cpu ?? 0, other.memory ?? 0, other.ephemeral_storage ?? 0, other.allowed_pod_number ?? 0],
  ];
}

/** Only a deletion counts here: a child that is Detaching for another cause has to be deleted with the request. */
function childrenOf(children: readonly ComposableResource[]): RequestFacts['children'] {
  if (children.length === 0) return 'none';
  return children.every((child) => child.metadata.deletionTimestamp !== undefined) ? 'leaving' : 'some';
}

function planOf(request: ComposabilityRequest): RequestFacts['plan'] {
  const remembered = request.status?.scalarResource;
  if (remembered === undefined) return 'none';
  return sameResource(remembered, request.spec.resource) ? 'current' : 'outdated';
}

function countOnline(
  planned: Readonly<Record<string, unknown>>,
  alive: ReadonlyMap<string, ComposableResource>,
): number {
  return Object.keys(planned).filter((name) => alive.get(name)?.status?.state === 'Online').length;
}

function some(yes: boolean): 'none' | 'some' {
  return yes ? 'some' : 'none';
}
