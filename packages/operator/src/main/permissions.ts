import { KubeClient, Permissions, type Access, type EventRecorder, type EventSubject } from '@cro/kube-runtime';
import { Gauge } from 'prom-client';
import { operatorAccess, webhookAccess } from '../access.ts';
import { LEASE } from '../names.ts';
import type { CommonSettings, Flags, Settings } from '../process/index.ts';
import { nodeActionsOf } from './node-actions.ts';
import type { ProcessWorld } from './process-world.ts';
import type { ProviderNeeds } from './provider.ts';

/** What grants everything; where to find it. */
const FILES = 'deploy/rbac (kubectl apply -k) and what --print-rbac prints';

/** What a program's permissions are checked with. */
export interface CheckedAccess {
  readonly access: readonly Access[];
  readonly namespace: string;
  readonly userAgent: string;
  /** Absent where the program tells no events. */
  readonly recorder?: EventRecorder;
  readonly signal: AbortSignal;
}

/**
 * Finds out which permissions the process lacks, and says so in one log line, an event about the operator's lease, the metric
 * `cro_missing_permissions`, and the readiness probe where nothing goes without them.
 */
export function startPermissions(checked: CheckedAccess, world: ProcessWorld): Permissions {
  const { access, namespace, userAgent, recorder, signal } = checked;
  const { clock, random, log, metrics, transport } = world;
  const permissions = new Permissions({
    client: new KubeClient({ transport, clock, random, metrics, userAgent }),
    clock,
    access,
    signal,
    onChange: (missing) => {
      if (missing.length === 0) {
        log.info('every permission is granted');
        return;
      }
      log.warn('permissions are missing', { missing: missing.map(lineOf), apply: FILES });
      recorder?.event(
        leaseSubject(namespace),
        'Warning',
        'PermissionsMissing',
        `apply ${FILES}; missing: ${missing.map(lineOf).join('; ')}`,
      );
    },
    onUnknown: (message) => {
      log.warn('nobody can tell which permissions are missing: refusals are told where they happen', { message });
    },
  });
  new Gauge({
    name: 'cro_missing_permissions',
    help: 'Permissions that the role of this process lacks, by whether anything goes without them.',
    labelNames: ['need'],
    registers: [metrics.registry],
    collect() {
      for (const need of ['required', 'optional'] as const) {
        this.set({ need }, permissions.missing.filter((one) => one.need === need).length);
      }
    },
  });
  void permissions.run();
  return permissions;
}

/** What events are about that concern the operator as a whole. */
export function leaseSubject(namespace: string): EventSubject {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', name: LEASE, namespace, uid: '' };
}

/** Everything that an operator with these settings asks for, and a provider with these needs. */
export function accessOf(settings: Settings, flags: Flags, needs: ProviderNeeds): readonly Access[] {
  const { namespace, webhooks, webhook } = settings;
  const secrets = [...new Set(needs.secrets.map(({ name }) => name))];
  const own = operatorAccess({ namespace, reads: needs.reads, secrets, nodeActions: nodeActionsOf(settings) });
  return webhooks ? [...own, ...webhookAccessOf({ namespace, webhook }, flags)] : own;
}

/** Everything that a webhook with these settings asks for. */
export function webhookAccessOf(
  { namespace, webhook }: Pick<CommonSettings, 'namespace' | 'webhook'>,
  { webhookCertPath }: Flags,
): readonly Access[] {
  return webhookAccess({ namespace, ...(webhookCertPath === undefined && { configuration: webhook.configuration }) });
}

/** What is missing that nothing goes without, for the readiness probe. */
export function missingProblem(permissions: Permissions | undefined): string | undefined {
  const required = permissions?.missing.filter(({ need }) => need === 'required') ?? [];
  return required.length === 0 ? undefined : `missing permissions (apply ${FILES}): ${required.map(lineOf).join('; ')}`;
}

/** One permission for a person: what may not be done, where, and what does not work without it. */
export function lineOf({ verbs, group, resource, namespace, names, without }: Access): string {
  const what = group === '' ? resource : `${resource}.${group}`;
  const only = names === undefined ? '' : ` ${names.join(', ')}`;
  const where = namespace === undefined ? '' : ` in ${namespace}`;
  return `${verbs.join(', ')} ${what}${only}${where}: without it ${without}`;
}
