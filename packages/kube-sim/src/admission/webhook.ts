import { isObject, type JsonObject, listAt, numberAt, objectAt, stringAt, stringsAt } from '../base/json.ts';
import { labelSelectorOf, type Matcher } from '../api/label-selector.ts';

/** Which requests a webhook wants to see. */
export interface WebhookRule {
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  readonly operations: readonly string[];
  readonly resources: readonly string[];
  readonly scope: string;
}

/** One webhook of a ValidatingWebhookConfiguration. */
export interface Webhook {
  readonly name: string;
  readonly rules: readonly WebhookRule[];
  readonly matchConditions: readonly { readonly name: string; readonly expression: string }[];
  readonly ignoresFailure: boolean;
  readonly timeoutSeconds: number;
  readonly namespaceSelector: Matcher;
  readonly objectSelector: Matcher;
  /** False when the webhook must not be asked about dry runs. */
  readonly allowsDryRun: boolean;
  /** `url` or `service`, and `caBundle`. */
  readonly client: JsonObject;
}

const known = new WeakMap<JsonObject, readonly Webhook[]>();

/** The webhooks of a configuration; read once for each version of it. */
export function webhooksOf(configuration: JsonObject): readonly Webhook[] {
  const found = known.get(configuration);
  if (found !== undefined) return found;
  const webhooks = listAt(configuration, 'webhooks').filter(isObject).map(readWebhook);
  known.set(configuration, webhooks);
  return webhooks;
}

function readWebhook(source: JsonObject): Webhook {
  return {
    name: stringAt(source, 'name') ?? '',
    rules: listAt(source, 'rules').filter(isObject).map(readRule),
    matchConditions: listAt(source, 'matchConditions').map((condition) => ({
      name: stringAt(condition, 'name') ?? '',
      expression: stringAt(condition, 'expression') ?? 'true',
    })),
    ignoresFailure: stringAt(source, 'failurePolicy') === 'Ignore',
    timeoutSeconds: numberAt(source, 'timeoutSeconds') ?? 10,
    namespaceSelector: labelSelectorOf(objectAt(source, 'namespaceSelector')),
    objectSelector: labelSelectorOf(objectAt(source, 'objectSelector')),
    allowsDryRun: ['None', 'NoneOnDryRun'].includes(stringAt(source, 'sideEffects') ?? ''),
    client: objectAt(source, 'clientConfig'),
  };
}

function readRule(source: JsonObject): WebhookRule {
  return {
    groups: stringsAt(source, 'apiGroups'),
    versions: stringsAt(source, 'apiVersions'),
    operations: stringsAt(source, 'operations'),
    resources: stringsAt(source, 'resources'),
    scope: stringAt(source, 'scope') ?? '*',
  };
}
