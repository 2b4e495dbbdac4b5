import type { ComposableResource, Condition } from '@cro/crd-types';
import type { ReconcileContext } from '@cro/kube-runtime';
import { isLetGo } from '../cluster/object-patch.ts';
import type { Told } from '../report/told.ts';
import type { Services } from '../services.ts';

/**
 * Tells of a saved change: one log line a transition, and an event for what went wrong. Only after the save, so that
 * nobody hears of what is not stored.
 */
export function announce(
  before: ComposableResource,
  after: ComposableResource,
  context: ReconcileContext & { readonly row: string },
  told: Told,
  services: Services,
): void {
  const from = before.status?.state ?? '';
  const to = isLetGo(before.metadata, after.metadata) ? 'gone' : (after.status?.state ?? '');
  const error = told.news(before.status, after.status);
  const fields = {
    reconcileId: context.reconcileId,
    resource: after.metadata.name,
    node: after.spec.target_node,
    device: after.status?.device_id,
    from,
    to,
    why: context.row,
  };
  if (from !== to) services.log.info('transition', fields);
  const unfenced = newlyUnfenced(before, after);
  if (unfenced !== undefined) services.events.event(after, 'Warning', unfenced.reason, unfenced.message);
  if (error === undefined) return;
  services.log.warn('failing', { ...fields, error });
  services.events.event(after, 'Warning', reasonOf(after), error);
}

/** That a device leaves without a fence is no failure of its own, and stands in a condition of its own. */
function newlyUnfenced(before: ComposableResource, after: ComposableResource): Condition | undefined {
  const missing = ({ status }: ComposableResource) =>
    status?.conditions?.find((one) => one.type === 'Fenced' && one.status === 'False');
  return missing(before) === undefined ? missing(after) : undefined;
}

function reasonOf(resource: ComposableResource): string {
  return resource.status?.conditions?.find((one) => one.type === 'Ready')?.reason ?? 'Failed';
}
