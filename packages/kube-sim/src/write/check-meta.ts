import type { FieldError } from '../base/field-error.ts';
import {
  goTypeName,
  isList,
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  stringAt,
  stringsAt,
} from '../base/json.ts';

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/u;
const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/u;
const LABEL_VALUE_TEXT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const QUALIFIED = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/u;
const QUALIFIED_TEXT =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " +
  "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
  "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

/** What is wrong with a name that is not qualified: its last part, or that it has more than two. */
function qualifiedText(name: string): string {
  if (name.split('/').length <= 2) return QUALIFIED_TEXT;
  const parts = QUALIFIED_TEXT.replace(/^name part/u, 'a qualified name');
  return `${parts} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
}

/** Checks names, labels, annotations, finalizers and owner references. */
export function checkMetadata(object: JsonObject): readonly FieldError[] {
  const metadata = objectAt(object, 'metadata');
  const name = stringAt(metadata, 'name') ?? '';
  const errors: FieldError[] = [];
  const add = (path: string, value: JsonValue, detail: string) => {
    errors.push({ tag: 'invalid', path: `metadata.${path}`, value, detail });
  };
  if (name === '') errors.push({ tag: 'required', path: 'metadata.name', detail: 'name or generateName is required' });
  else if (name.length > 253) add('name', name, 'must be no more than 253 bytes');
  else if (!SUBDOMAIN.test(name)) add('name', name, SUBDOMAIN_TEXT);
  for (const [key, value] of Object.entries(objectAt(metadata, 'labels'))) {
    if (!QUALIFIED.test(key)) add('labels', key, QUALIFIED_TEXT);
    if (typeof value === 'string' && value.length > 63) add('labels', value, 'must be no more than 63 bytes');
    else if (typeof value === 'string' && !LABEL_VALUE.test(value)) add('labels', value, LABEL_VALUE_TEXT);
  }
  for (const key of Object.keys(objectAt(metadata, 'annotations'))) {
    if (!QUALIFIED.test(key.toLowerCase())) add('annotations', key, QUALIFIED_TEXT);
  }
  for (const finalizer of stringsAt(metadata, 'finalizers')) {
    if (!QUALIFIED.test(finalizer)) add('finalizers', finalizer, qualifiedText(finalizer));
  }
  return [...errors, ...checkOwners(metadata)];
}

function checkOwners(metadata: JsonObject): readonly FieldError[] {
  return listAt(metadata, 'ownerReferences').flatMap((owner) =>
    ['apiVersion', 'kind', 'name', 'uid'].flatMap((field): readonly FieldError[] => {
      const text = stringAt(owner, field) ?? '';
      if (text !== '') return [];
      return [
        {
          tag: 'invalid',
          // The real server names no index here.
          path: `metadata.ownerReferences.${field}`,
          value: text,
          detail: field === 'apiVersion' ? 'version must not be empty' : 'must not be empty',
        },
      ];
    }),
  );
}

/** What Go's decoder refuses: a text naming the first field of metadata that has the wrong type, or undefined. */
export function wrongMetadataType(object: JsonObject): string | undefined {
  const metadata = object['metadata'];
  if (!isObject(metadata)) return undefined;
  const cannot = (value: JsonValue, field: string, type: string) =>
    `json: cannot unmarshal ${goTypeName(value)} into Go struct field ObjectMeta.metadata.${field} of type ${type}`;
  for (const field of ['labels', 'annotations']) {
    const map = metadata[field];
    if (map === undefined || map === null) continue;
    if (!isObject(map)) return cannot(map, field, 'map[string]string');
    const wrong = Object.values(map).find((value) => typeof value !== 'string');
    if (wrong !== undefined) return cannot(wrong, field, 'string');
  }
  for (const field of ['finalizers', 'ownerReferences']) {
    const list = metadata[field];
    if (list !== undefined && list !== null && !isList(list)) return cannot(list, field, '[]string');
  }
  const text = ['name', 'namespace', 'generateName', 'uid', 'resourceVersion'].find(
    (field) => metadata[field] !== undefined && metadata[field] !== null && typeof metadata[field] !== 'string',
  );
  return text === undefined ? undefined : cannot(metadata[text] ?? null, text, 'string');
}
