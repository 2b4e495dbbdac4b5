import type { KubeSim } from '@cro/kube-sim';
import { LEASE, NAMESPACE, WEBHOOK_CONFIGURATION } from './options.ts';
import type { Watches } from './watches.ts';

/** The lease's version now, or nothing while nobody holds it. A lease that is renewed gets new versions; a dead one does not. */
export function leaseVersion({ leases }: Watches): string | undefined {
  const lease = leases.get(LEASE, NAMESPACE);
  const spec = lease?.spec;
  const isHeld = hasText(spec, 'holderIdentity');
  return isHeld ? lease?.metadata.resourceVersion : undefined;
}

/** What only an operator that leads watches, each after its first list. */
const WATCHED = ['composableresources.cro.hpsys.ibm.ie.com', 'nodes', 'resourceslices.resource.k8s.io'];

/** How far an operator is with reading the cluster. */
export interface ReadingSigns {
  /** Forgets what was seen: another operator starts. */
  restart(): void;
  hasReadAll(): boolean;
  /** Tells when `hasReadAll` may have changed. */
  subscribe(listener: () => void): () => void;
}

/** Follows the watches that are begun by all but `others`. */
export function readingSigns(kube: Pick<KubeSim, 'observe'>, others: readonly string[]): ReadingSigns {
  const watched = new Set<string>();
  const isRead = (resource: string | undefined) => resource !== undefined && WATCHED.includes(resource);
  kube.observe(({ verb, resource, userAgent }) => {
    if (verb === 'watch' && resource !== undefined && !others.includes(userAgent)) watched.add(resource);
  });
  return {
    restart: () => {
      watched.clear();
    },
    hasReadAll: () => WATCHED.every((resource) => watched.has(resource)),
    subscribe: (listener) =>
      kube.observe(({ verb, resource }) => {
        if (verb === 'watch' && isRead(resource)) listener();
      }),
  };
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
