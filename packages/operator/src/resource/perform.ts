import type { ResourceOutcome, ResourceRequest } from '@cro/state-machines';
import { resourceKind } from '@cro/crd-types';
import { accessTo, type Access } from '@cro/kube-runtime';
import { machineOf, noMachine } from './machine-of.ts';
import { confirmOnFabric, findUnowned, prepare, resume, start, type Performance } from './perform-fabric.ts';
import { performFence } from './perform-fence.ts';
import { findUsers, identify, performOnNode } from './perform-node.ts';

/** Performs one request of the resource machine. Rejects only when it is aborted, or by a fault of this program. */
export function perform(request: ResourceRequest, work: Performance): Promise<ResourceOutcome> {
  switch (request) {
    case 'ensureDriver':
    case 'refreshNode':
    case 'drain':
      return performOnNode(request, work);
    case 'fence':
    case 'unfence':
      return performFence(request, work);
    case 'findLoad':
    case 'findAllocation':
      return findUsers(request, work);
    case 'identify':
      return identify(work);
    case 'prepareAttach':
      return prepare('attach', work);
    case 'prepareDetach':
      return prepare('detach', work);
    case 'start':
    case 'resume':
      return performTicket(request, work);
    case 'findUnowned':
      return findUnowned(work);
    case 'confirmOnFabric':
      return confirmOnFabric(work);
    case 'locate':
      return locate(work);
    case 'spareDevice':
      return spareDevice(work);
    case 'deleteSelf':
      return deleteSelf(work);
  }
}

function performTicket(request: 'start' | 'resume', work: Performance): Promise<ResourceOutcome> {
  const ticket = work.resource.status?.operation;
  if (ticket === undefined) {
    const failure = { kind: 'InDoubt', message: 'the object holds no ticket any more' } as const;
    return Promise.resolve({ request, tag: 'inDoubt', failure });
  }
  return request === 'start' ? start(ticket, work) : resume(ticket, work);
}

async function locate({ resource, memory, services, signal }: Performance): Promise<ResourceOutcome> {
  const located = await machineOf(resource, services, signal);
  if (located.tag !== 'machine') return { request: 'locate', tag: 'failed', failure: noMachine(located) };
  memory.located = { provider: services.fabric.name, machine: located.machine };
  return { request: 'locate', tag: 'located' };
}

async function spareDevice({ resource, services }: Performance): Promise<ResourceOutcome> {
  const { status } = resource;
  const machine = status?.fabric?.machine;
  if (machine === undefined) return { request: 'spareDevice', tag: 'done' };
  const device = {
    provider: services.fabric.name,
    machine,
    cdiDeviceId: status?.cdi_device_id ?? '',
    deviceId: status?.device_id ?? '',
  };
  return { request: 'spareDevice', ...(await services.drift.spare(device)) };
}

/** What the deletion of a resource asks of the API server: its node is gone, or it goes back for nobody. */
export const deletingResources: Access = accessTo(resourceKind, ['delete'], {
  without: 'resources without an owner or a node stay',
  need: 'required',
});

/** Why it goes was written into its status, and told, before. */
async function deleteSelf({ resource, services }: Performance): Promise<ResourceOutcome> {
  const { name, uid } = resource.metadata;
  const outcome = await services.client.delete(resourceKind, { name }, { uid });
  switch (outcome.tag) {
    case 'done':
    case 'notFound':
    case 'conflict':
      // A conflict means another uid: this object is gone already.
      return { request: 'deleteSelf', tag: 'done' };
    case 'refused':
    case 'unknown':
      return {
        request: 'deleteSelf',
        tag: 'failed',
        failure: { kind: 'Unreachable', message: `deleting the object failed: ${outcome.error.message}` },
      };
  }
}
