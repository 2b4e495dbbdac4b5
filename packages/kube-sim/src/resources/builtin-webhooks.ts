import type { FieldError } from '../base/field-error.ts';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../base/json.ts';

/** What the server fills into each webhook (k8s.io/kubernetes/pkg/apis/admissionregistration/v1/defaults.go). */
const DEFAULTS: JsonObject = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

/** A configuration with the defaults of its webhooks. */
export function prepareWebhooks(configuration: JsonObject): JsonObject {
  const webhooks = listAt(configuration, 'webhooks');
  if (webhooks.length === 0) return configuration;
  return { ...configuration, webhooks: webhooks.map((one) => (isObject(one) ? withDefaults(one) : one)) };
}

function withDefaults(webhook: JsonObject): JsonObject {
  const rules = listAt(webhook, 'rules').map((rule) => (isObject(rule) ? { scope: '*', ...rule } : rule));
  const { service } = objectAt(webhook, 'clientConfig');
  const place = isObject(service) ? { service: { port: 443, ...service } } : {};
  const clientConfig = { ...objectAt(webhook, 'clientConfig'), ...place };
  return { ...DEFAULTS, ...webhook, clientConfig, ...(rules.length === 0 ? {} : { rules }) };
}

/** A webhook that is called by URL is called over https. */
export function checkWebhooks(configuration: JsonObject): readonly FieldError[] {
  return listAt(configuration, 'webhooks').flatMap((webhook, index): readonly FieldError[] => {
    const url = stringAt(webhook, 'clientConfig', 'url');
    const scheme = url === undefined || !URL.canParse(url) ? undefined : new URL(url).protocol.slice(0, -1);
    if (scheme === undefined || scheme === 'https') return [];
    const path = `webhooks[${String(index)}].clientConfig.url`;
    const detail = "'https' is the only allowed URL scheme; desired format: https://host[/path]";
    return [{ tag: 'invalid', path, value: scheme, detail }];
  });
}
