import type { ComposabilityRequest } from '@cro/crd-types';
import type { ReconcileContext } from '@cro/kube-runtime';
import { isLetGo } from '../cluster/object-patch.ts';
import type { Told } from '../report/told.ts';
import type { Services } from '../services.ts';

/** Tells of a saved change: one log line a transition, one event at Running, and one for each new failure. */
export function announceRequest(
  before: ComposabilityRequest,
  after: ComposabilityRequest,
  context: ReconcileContext & { readonly row: string },
  told: Told,
  { log, events }: Services,
): void {
  const from = before.status?.state ?? '';
  const to = isLetGo(before.metadata, after.metadata) ? 'gone' : (after.status?.state ?? '');
  const error = told.news(before.status, after.status);
  const fields = { reconcileId: context.reconcileId, request: after.metadata.name, from, to, why: context.row };
  if (from !== to) log.info('transition', fields);
  if (to === 'Running' && from !== to) {
    const count = Object.keys(after.status?.resources ?? {}).length;
    events.event(after, 'Normal', 'Running', `all ${count} devices are online`);
  }
  if (error === undefined) return;
  log.warn('failing', { ...fields, error });
  events.event(
    after,
    'Warning',
    after.status?.conditions?.find((one) => one.type === 'Ready')?.reason ?? 'Failed',
    error,
  );
}
