import type { ComposableResource, ComposableResourceStatus, FabricLocation } from '@cro/crd-types';
import { READY_TO_DETACH_CDI_DEVICE_LABEL, READY_TO_DETACH_DEVICE_LABEL } from '@cro/crd-types';
import { mergeConditions, type ConditionDraft } from '../conditions.ts';
import type { ResourceChange, ResourceReport } from './decision.ts';
import type { Device } from './outcome.ts';
import { isInDoubt, isReleased, type ResourceKnowledge } from './project.ts';

/** What a status is computed from beside the object and the change. */
export interface StatusContext {
  readonly known: ResourceKnowledge;
  /** RFC 3339 time for conditions that turn. */
  readonly now: string;
  /** Where the device is, for changes that record it. */
  readonly location: FabricLocation | undefined;
}

/** A change that is written to the status subresource. */
export type StatusChange = Exclude<ResourceChange, { readonly tag: 'addFinalizer' | 'removeFinalizer' }>;

type Ids = Pick<ComposableResourceStatus, 'device_id' | 'cdi_device_id'>;

/** The status that a change leads to. Equal to the present one when the change says nothing new. */
export function nextStatus(
  resource: ComposableResource,
  change: StatusChange,
  context: StatusContext,
): ComposableResourceStatus {
  const before = resource.status ?? { state: '' };
  const report = 'report' in change ? change.report : undefined;
  const error = report === undefined ? before.error : report.error ? report.message : undefined;
  const operation = operationAfter(before, change);
  const fabric = locationAfter(before, change, context.location);
  const observedGeneration = keepsDoubt(before, change) ? undefined : (resource.metadata.generation ?? 0);
  const status: ComposableResourceStatus = {
    state: report?.state ?? before.state,
    ...(error !== undefined && { error }),
    ...idsAfter(idsIn(before), resource, change),
    ...(operation !== undefined && { operation }),
    ...(fabric !== undefined && { fabric }),
    ...(observedGeneration !== undefined && { observedGeneration }),
  };
  const drafts =
    change.tag === 'noteFence'
      ? fenceCondition(before, change.missing)
      : report === undefined
        ? []
        : conditionsOf(before, status, report, context.known, isReleasedBy(before, change));
  const conditions = mergeConditions(before.conditions, drafts, observedGeneration, context.now);
  return conditions.length === 0 ? status : { ...status, conditions };
}

function idsIn(status: ComposableResourceStatus): Ids {
  return {
    ...(status.device_id && { device_id: status.device_id }),
    ...(status.cdi_device_id && { cdi_device_id: status.cdi_device_id }),
  };
}

/**
 * An object left in doubt by another operator stays so, whatever else is reported of it, until what became of its call is
 * known: then the report is that it is Attaching.
 */
function keepsDoubt(before: ComposableResourceStatus, change: StatusChange): boolean {
  return isInDoubt(before) && change.tag === 'report' && change.report.reason !== 'Attaching';
}

/** A device stays where it was recorded, even when its node is mapped to another machine later. */
function locationAfter(
  before: ComposableResourceStatus,
  change: StatusChange,
  found: FabricLocation | undefined,
): FabricLocation | undefined {
  switch (change.tag) {
    case 'clearDevice':
      return undefined;
    case 'markAttached':
      return ticketsPlace(before) ?? found ?? before.fabric;
    case 'closeTicket':
      return change.device === undefined ? before.fabric : (ticketsPlace(before) ?? found ?? before.fabric);
    case 'recordLocation':
    case 'recordDevice':
    case 'takeIdsFromLabels':
      return found ?? before.fabric;
    case 'openTicket':
    case 'updateTicket':
    case 'report':
    case 'noteFence':
    case 'recordReleased':
      return before.fabric;
  }
}

function ticketsPlace({ operation }: ComposableResourceStatus): FabricLocation | undefined {
  return operation && { provider: operation.provider, machine: operation.machine };
}

function operationAfter(before: ComposableResourceStatus, change: StatusChange): ComposableResourceStatus['operation'] {
  switch (change.tag) {
    case 'openTicket':
    case 'updateTicket':
      return change.ticket;
    case 'markAttached':
      return before.operation === undefined ? undefined : { ...before.operation, phase: 'attached' };
    case 'closeTicket':
    case 'clearDevice':
      return undefined;
    case 'report':
    case 'noteFence':
    case 'recordLocation':
    case 'takeIdsFromLabels':
    case 'recordDevice':
    case 'recordReleased':
      return before.operation;
  }
}

function idsAfter(present: Ids, resource: ComposableResource, change: StatusChange): Ids {
  switch (change.tag) {
    case 'clearDevice':
      return {};
    case 'markAttached':
    case 'recordDevice':
      return idsOf(change.device);
    case 'closeTicket':
      return change.device === undefined ? present : idsOf(change.device);
    case 'takeIdsFromLabels':
      return idsFromLabels(resource.metadata.labels ?? {});
    case 'openTicket':
    case 'updateTicket':
    case 'report':
    case 'noteFence':
    case 'recordLocation':
    case 'recordReleased':
      return present;
  }
}

function idsOf(device: Device): Ids {
  return { ...(device.deviceId !== undefined && { device_id: device.deviceId }), cdi_device_id: device.cdiDeviceId };
}

function idsFromLabels(labels: Readonly<Record<string, string>>): Ids {
  const deviceId = labels[READY_TO_DETACH_DEVICE_LABEL];
  const cdiDeviceId = labels[READY_TO_DETACH_CDI_DEVICE_LABEL];
  return { ...(deviceId && { device_id: deviceId }), ...(cdiDeviceId && { cdi_device_id: cdiDeviceId }) };
}

function isReleasedBy(before: ComposableResourceStatus, change: StatusChange): boolean {
  switch (change.tag) {
    case 'recordReleased':
      return true;
    case 'closeTicket':
      return change.released;
    case 'clearDevice':
    case 'markAttached':
    case 'recordDevice':
    case 'takeIdsFromLabels':
      return false;
    case 'openTicket':
    case 'updateTicket':
    case 'report':
    case 'noteFence':
    case 'recordLocation':
      return isReleased(before);
  }
}

function conditionsOf(
  before: ComposableResourceStatus,
  status: ComposableResourceStatus,
  report: ResourceReport,
  known: ResourceKnowledge,
  released: boolean,
): ConditionDraft[] {
  const { reason, message } = report;
  const ready = report.state === 'Online' && reason === 'Online';
  const onFabric = !released && (status.device_id !== undefined || status.cdi_device_id !== undefined);
  return [
    { type: 'Ready', status: ready ? 'True' : 'False', reason, message },
    onFabric
      ? { type: 'Attached', status: 'True', reason: 'Attached', message: 'The fabric has attached the device.' }
      : {
          type: 'Attached',
          status: 'False',
          reason: released ? 'Released' : 'NotAttached',
          message: released ? 'The fabric took the device back.' : '',
        },
    ...visibleCondition(before, status, known),
    ...healthCondition(onFabric, known),
  ];
}

function visibleCondition(
  before: ComposableResourceStatus,
  status: ComposableResourceStatus,
  known: ResourceKnowledge,
): ConditionDraft[] {
  const draft = (state: ConditionDraft['status'], reason: string, message: string): ConditionDraft[] => [
    { type: 'Visible', status: state, reason, message },
  ];
  if (status.device_id === undefined) return draft('False', 'NotIdentified', '');
  switch (known.visible) {
    case 'visible':
      return draft('True', 'Visible', 'The cluster sees the device on its node.');
    case 'absent':
      return draft('False', 'NotVisible', 'The cluster does not see the device on its node.');
    case 'unknown':
      // What was said of this device stays until there is something new: a restart must not cost a write for each.
      return before.device_id === status.device_id && before.conditions?.some((one) => one.type === 'Visible')
        ? []
        : draft('Unknown', 'NotRead', 'What the cluster sees has not been read yet.');
  }
}

/** That a device is fenced goes without saying, unless it was said before that it is not. */
function fenceCondition(
  before: ComposableResourceStatus,
  missing: Extract<ResourceChange, { readonly tag: 'noteFence' }>['missing'],
): ConditionDraft[] {
  if (missing !== undefined) return [{ type: 'Fenced', status: 'False', ...missing }];
  if (!before.conditions?.some((one) => one.type === 'Fenced')) return [];
  return [{ type: 'Fenced', status: 'True', reason: 'Fenced', message: 'New pods are kept from the device.' }];
}

/** Without a listing nothing is said of the health, and what was said before stays. */
function healthCondition(onFabric: boolean, known: ResourceKnowledge): ConditionDraft[] {
  if (!onFabric || known.health === undefined) return [];
  return known.health.ok
    ? [{ type: 'Healthy', status: 'True', reason: 'Ok', message: 'The fabric reports no fault.' }]
    : [{ type: 'Healthy', status: 'False', reason: 'Unhealthy', message: known.health.message }];
}
