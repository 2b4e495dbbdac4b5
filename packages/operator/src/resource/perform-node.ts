import type { ComposableResource } from '@cro/crd-types';
import type { IdentifyOutcome, NodeDeviceRef, WantedVisibility } from '@cro/node-device';
import type { ResourceOutcome } from '@cro/state-machines';
import { takenOnNode } from '../fabric/ownership.ts';
import type { Performance } from './perform-fabric.ts';

type NodeRequest = 'ensureDriver' | 'refreshNode' | 'drain';

/** Performs what the node does. */
export async function performOnNode(
  request: NodeRequest,
  { resource, services, signal }: Performance,
): Promise<ResourceOutcome> {
  const ref = refTo(resource);
  const { actions } = services.nodeSides[resource.spec.type];
  switch (request) {
    case 'ensureDriver':
      return { request, ...(await actions.ensureDriver(ref.node, signal)) };
    case 'refreshNode':
      return { request, ...(await actions.refresh(ref, wantedOf(resource), signal)) };
    case 'drain':
      return { request, ...(await actions.drain({ ...ref, force: resource.spec.force_detach ?? false }, signal)) };
  }
}

/** The node is asked to look again after the device came, and after it left. */
function wantedOf({ status }: ComposableResource): WantedVisibility {
  return status?.state === 'Detaching' ? 'absent' : 'visible';
}

/** Asks whether something uses the device, or was given it in the cluster. */
export async function findUsers(
  request: 'findLoad' | 'findAllocation',
  { resource, services, signal }: Performance,
): Promise<ResourceOutcome> {
  const ref = refTo(resource);
  const { actions } = services.nodeSides[resource.spec.type];
  const asked = request === 'findLoad' ? actions.findLoad(ref, signal) : actions.findAllocation(ref);
  return { request, ...(await asked) };
}

function refTo({ metadata, spec, status }: ComposableResource): NodeDeviceRef {
  return { node: spec.target_node, deviceId: status?.device_id ?? '', resource: metadata.name };
}

/** Finds the node's name for a device of which the fabric's is known. */
export async function identify({ resource, services, signal }: Performance): Promise<ResourceOutcome> {
  const { status, spec } = resource;
  const question = {
    node: spec.target_node,
    resource: resource.metadata.name,
    hints: hintsIn(status?.operation?.payload),
    cdiDeviceId: status?.cdi_device_id ?? '',
    before: status?.operation?.onNode,
    taken: takenOnNode(services.caches.resources.byIndex('node', spec.target_node), resource),
  };
  // What the cluster shows costs nothing; a command on the node comes after it, and says less when it finds nothing.
  const { identity, actions } = services.nodeSides[spec.type];
  const shown = identity.find(question);
  const asked: IdentifyOutcome = shown?.tag === 'identified' ? shown : await actions.identify(question, signal);
  const outcome = asked.tag === 'notYet' ? (shown ?? asked) : asked;
  if (outcome.tag !== 'identified') return { request: 'identify', ...outcome };
  return {
    request: 'identify',
    tag: 'identified',
    device: { deviceId: outcome.deviceId, cdiDeviceId: status?.cdi_device_id ?? '' },
  };
}

/** The texts in a ticket's payload under `hints`: what a provider left there to recognise the device by. */
function hintsIn(payload: Readonly<Record<string, unknown>> | undefined): Record<string, string> {
  const hints = payload?.['hints'];
  if (typeof hints !== 'object' || hints === null) return {};
  return Object.fromEntries(
    Object.entries(hints).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
