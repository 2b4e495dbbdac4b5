import { LEASE, NAMESPACE, WEBHOOK_CONFIGURATION } from './options.ts';
import type { Watches } from './watches.ts';

/** The lease's version now, or nothing while nobody holds it. A lease that is renewed gets new versions; a dead one does not. */
export function leaseVersion({ leases }: Watches): string | undefined {
  const lease = leases.get(LEASE, NAMESPACE);
  const spec = lease?.spec;
  const isHeld = hasText(spec, 'holderIdentity');
  return isHeld ? lease?.metadata.resourceVersion : undefined;
}

/** Whether the API server trusts the webhook: its configuration has a CA. */
export function webhookIsTrusted({ webhooks }: Watches): boolean {
  const configured = webhooks.get(WEBHOOK_CONFIGURATION)?.webhooks;
  return (
    Array.isArray(configured) &&
    configured.every((webhook: unknown) => hasText(field(webhook, 'clientConfig'), 'caBundle'))
  );
}

function hasText(value: unknown, key: string): boolean {
  const text = field(value, key);
  return typeof text === 'string' && text !== '';
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
