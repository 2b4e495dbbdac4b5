import {
  MANAGED_BY_LABEL,
  READY_TO_DETACH_CDI_DEVICE_LABEL,
  READY_TO_DETACH_DEVICE_LABEL,
  type ComposabilityRequest,
  type ComposableResource,
  type ScalarResourceDetails,
} from '@cro/crd-types';

/**
 * What the Go operator does next for a ComposableResource. `attach`: it asks the fabric for a device. `detach`: it works towards
 * giving the device back. `letGo`: the object goes, and the fabric is not asked.
 */
export type GoStep = 'attach' | 'detach' | 'letGo' | 'keep';

/** The Go operator's next step, from what it reads of the object: nothing but its own fields. */
export function goStep({ metadata, status }: ComposableResource): GoStep {
  const { [READY_TO_DETACH_DEVICE_LABEL]: labelled, [READY_TO_DETACH_CDI_DEVICE_LABEL]: alsoLabelled } =
    metadata.labels ?? {};
  const toGiveBack = labelled !== undefined || alsoLabelled !== undefined;
  const isDeleted = metadata.deletionTimestamp !== undefined;
  const hasDevice = (status?.device_id ?? '') !== '';
  switch (status?.state ?? '') {
    case '':
      // The ids come from the labels, and the device is attached already.
      return toGiveBack ? 'detach' : 'attach';
    case 'Attaching':
      if (isDeleted && !hasDevice) return 'letGo';
      if (!hasDevice) return 'attach';
      return isDeleted || toGiveBack ? 'detach' : 'keep';
    case 'Online':
      return isDeleted || toGiveBack ? 'detach' : 'keep';
    case 'Detaching':
      return hasDevice ? 'detach' : 'letGo';
    case 'Deleting':
      return 'letGo';
    default:
      throw new Error(`the Go operator knows no state '${status?.state ?? ''}'`);
  }
}

/** What the Go operator does next for a ComposabilityRequest. */
export interface GoRequestStep {
  /** It chooses nodes anew. */
  readonly plans: boolean;
  /** Names of the resources that it creates and deletes. */
  readonly creates: readonly string[];
  readonly deletes: readonly string[];
}

/** The Go operator's next step for a request and the resources with its label. */
export function goRequestStep(
  { metadata, spec, status }: ComposabilityRequest,
  resources: readonly ComposableResource[],
): GoRequestStep {
  const own = resources
    .filter((one) => one.metadata.labels?.[MANAGED_BY_LABEL] === metadata.name)
    .map((one) => one.metadata.name);
  const nothing = { plans: false, creates: [], deletes: [] };
  const isDeleted = metadata.deletionTimestamp !== undefined;
  const state = status?.state ?? '';
  if (isDeleted || state === 'Cleaning') return { ...nothing, deletes: state === 'Deleting' ? [] : own };
  const isCurrent = same(spec.resource, status?.scalarResource);
  if (state === '' || state === 'NodeAllocating' || !isCurrent) return { ...nothing, plans: true };
  const planned = Object.keys(status?.resources ?? {});
  if (state === 'Running') return nothing;
  return {
    plans: false,
    creates: planned.filter((name) => !own.includes(name)),
    deletes: own.filter((name) => !planned.includes(name)),
  };
}

/** As Go compares the two: a field that is not there has the zero value. */
function same(left: ScalarResourceDetails, right: ScalarResourceDetails | undefined): boolean {
  const fields = (one: Partial<ScalarResourceDetails>) =>
    JSON.stringify([
      one.type ?? '',
      one.model ?? '',
      one.size ?? 0,
      one.force_detach ?? false,
      one.allocation_policy ?? '',
      one.target_node ?? '',
      one.other_spec ?? null,
    ]);
  return fields(left) === fields(right ?? {});
}
