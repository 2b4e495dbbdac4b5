import { qualifiedNameFaults } from '../base/names.ts';
import type { FieldError } from '../base/field-error.ts';
import { goTypeName, type JsonObject, numberAt, objectAt, stringAt } from '../base/json.ts';

/** MicroTime is read with exactly six digits after the point (k8s.io/apimachinery/pkg/apis/meta/v1/micro_time.go). */
const MICRO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}(Z|[+-]\d{2}:\d{2})$/u;

const UP_TO_SECONDS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/u;

/** What Go's decoder says of the first of `paths` whose value is no MicroTime. */
function wrongMicroTime(object: JsonObject, ...paths: readonly (readonly string[])[]): string | undefined {
  const wrong = paths
    .map((path) => stringAt(object, ...path))
    .find((time) => time !== undefined && !MICRO_TIME.test(time));
  if (wrong === undefined) return undefined;
  const [whole = ''] = UP_TO_SECONDS.exec(wrong) ?? [];
  const rest = JSON.stringify(wrong.slice(whole.length));
  const where = whole === '' ? `${rest} as "2006"` : `${rest} as ".000000"`;
  return `parsing time ${JSON.stringify(wrong)} as "2006-01-02T15:04:05.000000Z07:00": cannot parse ${where}`;
}

/** A Lease whose times are written in another form than MicroTime. */
export function undecodableLease(lease: JsonObject): string | undefined {
  return wrongMicroTime(lease, ['spec', 'acquireTime'], ['spec', 'renewTime']);
}

/** An Event whose times are written in another form than MicroTime. */
export function undecodableEvent(event: JsonObject): string | undefined {
  return wrongMicroTime(event, ['eventTime'], ['series', 'lastObservedTime']);
}

const BASE64 = /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u;

/** A ConfigMap whose data is no text. */
export function undecodableConfigMap(map: JsonObject): string | undefined {
  const wrong = Object.values(objectAt(map, 'data')).find((value) => typeof value !== 'string' && value !== null);
  if (wrong === undefined) return undefined;
  return `json: cannot unmarshal ${goTypeName(wrong)} into Go struct field ConfigMap.data of type string`;
}

const DATA_KEY = /^[-._a-zA-Z0-9]+$/u;
const DATA_KEY_TEXT =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or " +
  "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** Bytes that the values of a ConfigMap or a Secret may have together. */
const MAX_DATA_BYTES = 1024 * 1024;

/** Keys of a ConfigMap or a Secret become names of files. */
export function checkDataKeys(object: JsonObject): readonly FieldError[] {
  const errors = Object.keys(objectAt(object, 'data'))
    .filter((key) => !DATA_KEY.test(key))
    .map((key): FieldError => ({ tag: 'invalid', path: `data[${key}]`, value: key, detail: DATA_KEY_TEXT }));
  const sizes = Object.values(objectAt(object, 'data')).map((value) => Buffer.byteLength(String(value)));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return bytes > MAX_DATA_BYTES ? [...errors, { tag: 'too-long', path: '[]', max: MAX_DATA_BYTES }] : errors;
}

/** A Secret whose data is not base64. */
export function undecodableSecret(secret: JsonObject): string | undefined {
  const wrong = Object.values(objectAt(secret, 'data')).some(
    (value) => typeof value === 'string' && !BASE64.test(value),
  );
  return wrong ? 'illegal base64 data at input byte 0' : undefined;
}

/** k8s.io/kubernetes/pkg/apis/coordination/validation. */
export function checkLease(lease: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const duration = numberAt(lease, 'spec', 'leaseDurationSeconds');
  const transitions = numberAt(lease, 'spec', 'leaseTransitions');
  const add = (field: string, value: number, detail: string) => {
    errors.push({ tag: 'invalid', path: `spec.${field}`, value, detail });
  };
  if (duration !== undefined && duration <= 0) add('leaseDurationSeconds', duration, 'must be greater than 0');
  if (transitions !== undefined && transitions < 0)
    add('leaseTransitions', transitions, 'must be greater than or equal to 0');
  return errors;
}

/**
 * k8s.io/kubernetes/pkg/apis/core/validation/events.go: an event lives in the namespace of what it is about; one about
 * an object without a namespace lives in `default`.
 */
export function checkEvent(event: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const own = stringAt(event, 'metadata', 'namespace') ?? '';
  const about = stringAt(event, 'involvedObject', 'namespace') ?? '';
  const isNew = stringAt(event, 'eventTime') !== undefined;
  const homes = isNew ? ['default', 'kube-system'] : ['', 'default'];
  if (about === '' ? !homes.includes(own) : about !== own && !isNew) {
    errors.push({
      tag: 'invalid',
      path: 'involvedObject.namespace',
      value: about,
      detail: 'does not match event.namespace',
    });
  }
  const needed = isNew ? ['reportingComponent', 'reportingInstance', 'action', 'reason'] : [];
  for (const path of needed) {
    const value = stringAt(event, path) ?? '';
    if (value === '') errors.push({ tag: 'required', path, detail: '' });
    if (path !== 'reportingComponent') continue;
    for (const detail of qualifiedNameFaults(value)) errors.push({ tag: 'invalid', path, value, detail });
  }
  return errors;
}
