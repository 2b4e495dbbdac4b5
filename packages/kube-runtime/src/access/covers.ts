import type { Access } from './access.ts';
import type { RequestAttributes } from './attributes.ts';

/** Whether an access covers a request, as RBAC judges a rule that says the same. */
export function covers(access: Access, asked: RequestAttributes): boolean {
  const { group, resource, verbs, namespace, names } = access;
  if (group !== asked.group || resource !== asked.resource) return false;
  if (!verbs.some((verb) => verb === asked.verb)) return false;
  if (namespace !== undefined && namespace !== asked.namespace) return false;
  return names === undefined || names.includes(asked.name);
}
