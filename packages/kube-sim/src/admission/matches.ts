import type { AdmissionQuestion, World } from '../api/world.ts';
import { NOTHING } from '../base/json.ts';
import type { Webhook, WebhookRule } from './webhook.ts';

/** True when the webhook's rules and selectors pick the request. Its match conditions come later. */
export function picks(world: World, webhook: Webhook, question: AdmissionQuestion): boolean {
  if (!webhook.rules.some((rule) => rulePicks(rule, question))) return false;
  const { object, oldObject } = question;
  const wanted = [object, oldObject].some((one) => one !== undefined && webhook.objectSelector(one));
  return wanted && webhook.namespaceSelector(namespaceOf(world, question));
}

/** Namespaces are judged by their own labels, objects without a namespace by none, which every selector without terms picks. */
function namespaceOf(world: World, { type, namespace, object, oldObject }: AdmissionQuestion) {
  if (type.group === '' && type.plural === 'namespaces') return object ?? oldObject ?? NOTHING;
  if (namespace === undefined) return NOTHING;
  return world.store.collection({ group: '', plural: 'namespaces' }).get(namespace) ?? NOTHING;
}

function rulePicks(rule: WebhookRule, { operation, type, subresource }: AdmissionQuestion): boolean {
  const has = (list: readonly string[], value: string) => list.includes('*') || list.includes(value);
  if (!has(rule.operations, operation) || !has(rule.groups, type.group) || !has(rule.versions, type.version))
    return false;
  const scope = type.namespaced ? 'Namespaced' : 'Cluster';
  if (rule.scope !== '*' && rule.scope !== scope) return false;
  return rule.resources.some((resource) => resourcePicks(resource, type.plural, subresource));
}

/** `pods`, `pods/status`, `pods/*`, `*`, every resource with `/*` or `/status`, as the API of webhooks documents them. */
function resourcePicks(pattern: string, plural: string, subresource: string | undefined): boolean {
  const [resource = '', part] = pattern.split('/');
  if (resource !== '*' && resource !== plural) return false;
  if (part === undefined) return subresource === undefined;
  return part === '*' || part === subresource;
}
