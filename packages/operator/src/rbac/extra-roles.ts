import type { Access } from '@cro/kube-runtime';
import { dump } from 'js-yaml';
import { DEPLOYED, operatorAccess, webhookAccess } from '../access.ts';
import { beyond } from './beyond.ts';
import { clusterRole, role } from './roles.ts';

const NAME = `${DEPLOYED.prefix}-provider`;

/**
 * The roles, as YAML for `kubectl apply -f -`, that grant what the operator asks for with these settings and deploy/rbac does
 * not: kinds that its provider reads, and Secrets that its configuration names.
 */
export function extraRoles(asked: readonly Access[], namespace: string): string {
  const { configuration, secrets, account, nodeActions } = DEPLOYED;
  const granted = [
    ...operatorAccess({ namespace, secrets, reads: [], nodeActions }),
    ...webhookAccess({ namespace, configuration }),
  ];
  const missing = beyond(granted, asked);
  if (missing.length === 0) return '# deploy/rbac grants everything that these settings need.\n';
  const bound = { name: account, namespace };
  const namespaces = new Set(missing.flatMap((access) => access.namespace ?? []));
  const objects = [
    ...(missing.some((access) => access.namespace === undefined) ? clusterRole(NAME, missing, bound) : []),
    ...[...namespaces].flatMap((one) => role(NAME, one, missing, bound)),
  ];
  return objects.map((object) => dump(object)).join('---\n');
}
