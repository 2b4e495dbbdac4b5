import { CrdError } from './crd-error.ts';
import type { JsonSchemaProps } from './json-schema-props.ts';

/** The API server's rules for `x-kubernetes-list-type` and `x-kubernetes-list-map-keys`. */
export function checkLists(node: JsonSchemaProps, path: string): void {
  const listType = node['x-kubernetes-list-type'];
  const keys = node['x-kubernetes-list-map-keys'];
  if (listType !== undefined && node.type !== 'array') throw new CrdError(path, 'x-kubernetes-list-type is for arrays');
  if ((listType === 'map') !== (keys !== undefined)) {
    throw new CrdError(path, 'x-kubernetes-list-map-keys and x-kubernetes-list-type: map need each other');
  }
  if (listType === 'set' && (node.items?.type === 'object' || node.items?.type === 'array')) {
    throw new CrdError(path, 'the items of a set must be scalars');
  }
  for (const key of keys ?? []) checkKey(node.items, key, path);
}

function checkKey(items: JsonSchemaProps | undefined, key: string, path: string): void {
  const field = items?.properties?.[key];
  if (field === undefined || field.type === 'object' || field.type === 'array') {
    throw new CrdError(path, `the list map key ${key} must be a scalar property of its items`);
  }
  if (field.default === undefined && items?.required?.includes(key) !== true) {
    throw new CrdError(path, `the list map key ${key} must be required or have a default`);
  }
}
