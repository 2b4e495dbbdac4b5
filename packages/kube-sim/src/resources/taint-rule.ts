import type { FieldError } from '../base/field-error.ts';
import { isObject, type JsonObject, objectAt, stringAt } from '../base/json.ts';
import { timestamp } from '../base/sim-clock.ts';
import { deviceTaintRuleSchema } from './builtin-schemas.ts';
import { builtinType } from './builtin-type.ts';
import type { ResourceType } from './resource-type.ts';

/** The versions of DeviceTaintRule: Kubernetes 1.34 has v1alpha3, 1.37 has v1 only. */
export type TaintRuleVersion = 'v1alpha3' | 'v1beta2' | 'v1';

/** DeviceTaintRule in these versions, the preferred one first. `now` is the wall clock. */
export function taintRuleTypes(versions: readonly TaintRuleVersion[], now: () => number): readonly ResourceType[] {
  return versions.map((version) =>
    builtinType({
      group: 'resource.k8s.io',
      version,
      kind: 'DeviceTaintRule',
      plural: 'devicetaintrules',
      namespaced: false,
      status: true,
      schema: deviceTaintRuleSchema,
      prepare: (rule) => withTime(rule, now),
      check: checkRule,
    }),
  );
}

/** pkg/apis/resource/v1/defaults.go: a taint says since when it is there. */
function withTime(rule: JsonObject, now: () => number): JsonObject {
  const spec = objectAt(rule, 'spec');
  const taint = spec['taint'];
  if (!isObject(taint) || (taint['timeAdded'] ?? null) !== null) return rule;
  return { ...rule, spec: { ...spec, taint: { ...taint, timeAdded: timestamp(now()) } } };
}

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/u;
const DNS_LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an " +
  "alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/u;
const LABEL_VALUE_TEXT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/** pkg/apis/resource/validation, of the fields that a fence fills in. */
function checkRule(rule: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const device = stringAt(rule, 'spec', 'deviceSelector', 'device');
  if (device !== undefined && !DNS_LABEL.test(device)) {
    errors.push({ tag: 'invalid', path: 'spec.deviceSelector.device', value: device, detail: DNS_LABEL_TEXT });
  }
  const value = stringAt(rule, 'spec', 'taint', 'value');
  if (value !== undefined && !LABEL_VALUE.test(value)) {
    errors.push({ tag: 'invalid', path: 'spec.taint.value', value, detail: LABEL_VALUE_TEXT });
  }
  return errors;
}
