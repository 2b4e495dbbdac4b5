import { plan, type Child, type NodeSnapshot, type NodeUse } from '@cro/allocation-policy';
import {
  DELETE_DEVICE_ANNOTATION,
  LAST_USED_ANNOTATION,
  type ComposabilityRequest,
  type ComposableResource,
  type ResourceState,
} from '@cro/crd-types';
import { accessTo, type Access } from '@cro/kube-runtime';
import { isLeaving, resourceStateOf, type Plan, type RequestOutcome } from '@cro/state-machines';
import { allocatableOf, freeOf } from '../cluster/capacity.ts';
import { nodeFacts } from '../cluster/node-states.ts';
import { podKind, type PodObject } from '../kinds/pod-kind.ts';
import type { Services } from '../services.ts';
import type { Shortages } from './shortages.ts';

/** Plans that were made and are not saved yet: others must count with them. */
export type PendingPlans = Map<string, Plan>;

/** What planning asks of the API server. */
export const countingPods: Access = accessTo(podKind, ['list'], {
  without: 'no request with other_spec is placed, and no memory leaves a node but by force',
  need: 'optional',
});

/** Chooses nodes and names for a request with the allocation policy, on what the caches and the plans in flight say. */
export class Planner {
  readonly #services: Services;
  readonly #shortages: Shortages;
  readonly #pending: PendingPlans = new Map();

  constructor(services: Services, shortages: Shortages) {
    this.#services = services;
    this.#shortages = shortages;
  }

  /** Makes a plan. It counts for others from now on, until `settle`. */
  async plan(
    request: ComposabilityRequest,
    children: readonly ComposableResource[],
    signal: AbortSignal,
  ): Promise<RequestOutcome> {
    const { resource } = request.spec;
    const pods = needsPods(request) ? await this.#pods() : [];
    const machines = await this.#machines(signal);
    // From here to the entry in `pending` nothing waits: two plans never see the same gap.
    const decided = plan({
      requestName: request.metadata.name,
      resource,
      children: this.#children(request, children),
      nodes: this.#snapshots(request, machines, pods),
    });
    const kept = new Set(decided.keep);
    const known = this.#children(request, children).filter((child) => kept.has(child.name));
    const entries = known.map((child): [string, string] => [child.name, child.node]);
    if (decided.tag === 'planned') {
      for (const node of decided.create) entries.push([`${resource.type}-${this.#services.newId()}`, node]);
    }
    const names: Plan = Object.fromEntries(entries);
    this.#pending.set(request.metadata.name, names);
    if (decided.tag === 'planned') return { request: 'plan', tag: 'planned', plan: names };
    return { request: 'plan', tag: 'unplaceable', reason: decided.reason, message: decided.message, plan: names };
  }

  /** The plan was saved, or came to nothing. */
  settle(request: string): void {
    this.#pending.delete(request);
  }

  async #pods(): Promise<readonly PodObject[]> {
    const listed = await this.#services.client.list(podKind, {});
    if (listed.tag === 'listed') return listed.objects;
    throw new Error(`pods could not be listed to see what nodes can still give: ${listed.error.message}`);
  }

  async #machines(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const { caches, fabric } = this.#services;
    const machines = new Map<string, string>();
    for (const node of caches.nodes.list()) {
      const located = await fabric.locate(nodeFacts(node), signal);
      if (located.tag === 'machine') machines.set(node.metadata.name, located.machine);
    }
    return machines;
  }

  #children(request: ComposabilityRequest, children: readonly ComposableResource[]): Child[] {
    const alive = children.filter((child) => !isLeaving(child));
    const names = new Set(children.map((child) => child.metadata.name));
    const planned = Object.entries(request.status?.resources ?? {})
      .filter(([name, entry]) => !names.has(name) && entry.state === '')
      .map(([name, entry]) => plannedChild(name, entry.node_name ?? '', request));
    return [...alive.map(createdChild), ...planned];
  }

  #snapshots(
    request: ComposabilityRequest,
    machines: ReadonlyMap<string, string>,
    pods: readonly PodObject[],
  ): NodeSnapshot[] {
    const claims = this.#claims(request);
    const { model } = request.spec.resource;
    return this.#services.caches.nodes.list().map((node) => {
      const { name } = node.metadata;
      const machine = machines.get(name);
      return {
        name,
        ready: node.ready,
        schedulable: node.schedulable,
        machine,
        allocatable: allocatableOf(node),
        free: freeOf(node, pods),
        composedDevices: claims.devices.get(name)?.size ?? 0,
        freeOnFabric: machine === undefined ? 'unknown' : this.#shortages.freeOn(machine, model),
        usedBy: claims.users.get(name) ?? [],
      };
    });
  }

  /** What is on each node or will be, and by whom, in one pass over all requests. */
  #claims(request: ComposabilityRequest): Claims {
    const claims: Claims = { devices: new Map(), users: new Map() };
    for (const { metadata, spec } of this.#services.caches.resources.list()) {
      setOf(claims.devices, spec.target_node).add(metadata.name);
    }
    for (const [other, planned] of this.#plans()) {
      for (const [name, node] of Object.entries(planned)) setOf(claims.devices, node).add(name);
      if (other.metadata.name === request.metadata.name) continue;
      const { type, model, target_node: target, allocation_policy: policy = 'samenode' } = other.spec.resource;
      const nodes = new Set(Object.values(planned));
      if (target !== undefined && isOlder(other, request)) nodes.add(target);
      for (const node of nodes) {
        const users = claims.users.get(node) ?? [];
        users.push({ request: other.metadata.name, policy, type, model });
        claims.users.set(node, users);
      }
    }
    return claims;
  }

  /** Every plan there is: those in flight before what the caches show. */
  *#plans(): Generator<[request: ComposabilityRequest, plan: Plan]> {
    for (const other of this.#services.caches.requests.list()) {
      yield [other, this.#pending.get(other.metadata.name) ?? savedPlan(other)];
    }
  }
}

/** By name of the node: the ComposableResources on it, planned ones included, and the requests with a claim on it. */
interface Claims {
  readonly devices: Map<string, Set<string>>;
  readonly users: Map<string, NodeUse[]>;
}

function setOf(sets: Map<string, Set<string>>, key: string): Set<string> {
  const present = sets.get(key) ?? new Set();
  sets.set(key, present);
  return present;
}

function needsPods(request: ComposabilityRequest): boolean {
  return Object.values(request.spec.resource.other_spec ?? {}).some((least) => least > 0);
}

function savedPlan(request: ComposabilityRequest): Plan {
  const resources = request.status?.resources ?? {};
  return Object.fromEntries(Object.entries(resources).map(([name, entry]) => [name, entry.node_name ?? '']));
}

/** The oldest wins; of two made in the same second, the first by name. */
function isOlder(left: ComposabilityRequest, right: ComposabilityRequest): boolean {
  const [a, b] = [left, right].map(({ metadata }) => `${metadata.creationTimestamp ?? ''} ${metadata.name}`);
  return (a ?? '') < (b ?? '');
}

function createdChild(resource: ComposableResource): Child {
  const { metadata, spec, status } = resource;
  const state: ResourceState = resourceStateOf(resource) ?? '';
  const created = Date.parse(metadata.creationTimestamp ?? '');
  const used = Date.parse(metadata.annotations?.[LAST_USED_ANNOTATION] ?? '');
  return {
    name: metadata.name,
    node: spec.target_node,
    state,
    created: true,
    type: spec.type,
    model: spec.model,
    forceDetach: spec.force_detach ?? false,
    hasDevice: (status?.device_id ?? status?.cdi_device_id ?? '') !== '',
    failing: (status?.error ?? '') !== '',
    deleteAnnotated: metadata.annotations?.[DELETE_DEVICE_ANNOTATION] === 'true',
    lastUsedMs: Number.isNaN(used) ? (Number.isNaN(created) ? 0 : created) : used,
  };
}

/** A child that is planned and not created yet is what the plan was made for, not what the spec says now. */
function plannedChild(name: string, node: string, { spec, status }: ComposabilityRequest): Child {
  const { type, model, force_detach: forceDetach = false } = status?.scalarResource ?? spec.resource;
  const never = { hasDevice: false, failing: false, deleteAnnotated: false, lastUsedMs: 0 };
  return { name, node, state: '', created: false, type, model, forceDetach, ...never };
}
