import type { FieldError } from '../base/field-error.ts';
import { type JsonObject, listAt, objectAt, stringAt, stringsAt } from '../base/json.ts';
import { labelValueFaults, prefixFaults, qualifiedNameFaults, subdomainFaults } from '../base/names.ts';

/** All keys and values of annotations together may have this many bytes. */
const ANNOTATION_BYTES = 256 * 1024;

/** Checks names, labels, annotations, finalizers and owner references (k8s.io/apimachinery/pkg/api/validation/objectmeta.go). */
export function checkMetadata(object: JsonObject, previous: JsonObject | undefined): readonly FieldError[] {
  const metadata = objectAt(object, 'metadata');
  const finalizers = stringsAt(metadata, 'finalizers').flatMap((name) =>
    invalid('finalizers', name, qualifiedNameFaults(name)),
  );
  const often = [...checkLabels(metadata), ...checkAnnotations(metadata), ...checkOwners(metadata)];
  if (previous === undefined) return [...checkName(metadata), ...often, ...finalizers];
  // The real server checks these as of a new object, as of an update, and once more by the resource's own strategy.
  return [...often, ...finalizers, ...often, ...often];
}

function checkName(metadata: JsonObject): readonly FieldError[] {
  const prefix = stringAt(metadata, 'generateName') ?? '';
  const name = stringAt(metadata, 'name') ?? '';
  const ofPrefix = prefix === '' ? [] : invalid('generateName', prefix, prefixFaults(prefix));
  if (name !== '') return [...ofPrefix, ...invalid('name', name, subdomainFaults(name))];
  return [...ofPrefix, { tag: 'required', path: 'metadata.name', detail: 'name or generateName is required' }];
}

function checkLabels(metadata: JsonObject): readonly FieldError[] {
  return Object.entries(objectAt(metadata, 'labels')).flatMap(([key, value]) => [
    ...invalid('labels', key, qualifiedNameFaults(key)),
    ...(typeof value === 'string' ? invalid('labels', value, labelValueFaults(value)) : []),
  ]);
}

function checkAnnotations(metadata: JsonObject): readonly FieldError[] {
  const entries = Object.entries(objectAt(metadata, 'annotations'));
  const bytes = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(value)),
    0,
  );
  return [
    ...entries.flatMap(([key]) => invalid('annotations', key, qualifiedNameFaults(key.toLowerCase()))),
    ...(bytes > ANNOTATION_BYTES
      ? [{ tag: 'too-long', path: 'metadata.annotations', max: ANNOTATION_BYTES } as const]
      : []),
  ];
}

function checkOwners(metadata: JsonObject): readonly FieldError[] {
  return listAt(metadata, 'ownerReferences').flatMap((owner) =>
    ['apiVersion', 'kind', 'name', 'uid'].flatMap((field): readonly FieldError[] => {
      const text = stringAt(owner, field) ?? '';
      if (text !== '') return [];
      // The real server names no index here.
      return invalid(`ownerReferences.${field}`, text, [
        field === 'apiVersion' ? 'version must not be empty' : 'must not be empty',
      ]);
    }),
  );
}

function invalid(field: string, value: string, faults: readonly string[]): readonly FieldError[] {
  return faults.map((detail) => ({ tag: 'invalid', path: `metadata.${field}`, value, detail }) as const);
}
