import { decoderOf } from '../decoder.ts';
import { isRecord, quote } from '../schema-value.ts';
import { checkLists } from './check-lists.ts';
import { checkPattern } from './check-pattern.ts';
import { CrdError } from './crd-error.ts';
import { forbidden } from './forbidden.ts';
import { NodeKeywords, type JsonSchemaProps } from './json-schema-props.ts';
import { normalize } from './normalize.ts';

const decodeKeywords = decoderOf(NodeKeywords);

/**
 * Turns a TypeBox schema into a structural schema, the only kind that a CustomResourceDefinition takes. Throws a
 * `CrdError` that names `path` for everything that the API server would refuse.
 */
export function toStructural(schema: unknown, path: string): JsonSchemaProps {
  if (!isRecord(schema)) throw new CrdError(path, `a schema must be an object, found ${quote(schema)}`);
  checkDefault(schema, path);
  const { properties, items, additionalProperties, ...own } = normalize(schema, path);
  for (const keyword of Object.keys(own)) {
    if (!(keyword in NodeKeywords.properties)) throw new CrdError(path, forbidden(keyword));
  }
  const keywords = decodeKeywords(own);
  if (keywords.tag === 'malformed') throw new CrdError(path, keywords.message);
  const node = {
    ...keywords.object,
    ...(properties === undefined ? {} : { properties: structuralProperties(properties, path) }),
    ...(items === undefined ? {} : { items: structuralItems(items, path) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: mapValues(additionalProperties, path) }),
  };
  checkNode(node, path);
  return node;
}

function structuralProperties(properties: unknown, path: string): Record<string, JsonSchemaProps> {
  if (!isRecord(properties)) throw new CrdError(path, 'properties must be an object');
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, toStructural(schema, `${path}.${name}`)]),
  );
}

function structuralItems(items: unknown, path: string): JsonSchemaProps {
  if (Array.isArray(items)) throw new CrdError(path, 'a tuple is not allowed; use an array whose items are all alike');
  return toStructural(items, `${path}[]`);
}

function mapValues(values: unknown, path: string): JsonSchemaProps {
  if (typeof values === 'boolean') {
    throw new CrdError(
      path,
      `additionalProperties: ${String(values)} is not allowed; leave it out, the API server prunes`,
    );
  }
  return toStructural(values, `${path}.*`);
}

function checkNode(node: JsonSchemaProps, path: string): void {
  const untyped = node['x-kubernetes-int-or-string'] === true || node['x-kubernetes-preserve-unknown-fields'] === true;
  if (node.type === undefined && !untyped) {
    throw new CrdError(path, 'has no type; give it one, or x-kubernetes-preserve-unknown-fields: true');
  }
  if (node.properties !== undefined && node.additionalProperties !== undefined) {
    throw new CrdError(path, 'has both properties and additionalProperties; an object is either a record or a map');
  }
  if (node.type === 'array' && node.items === undefined)
    throw new CrdError(path, 'an array must say what its items are');
  for (const name of node.required ?? []) {
    if (node.properties?.[name] === undefined)
      throw new CrdError(path, `requires ${name}, which is not one of its properties`);
  }
  checkLists(node, path);
  checkPattern(node, path);
}

/** The API server refuses a default that its own schema refuses. */
function checkDefault(schema: Readonly<Record<string, unknown>>, path: string): void {
  if (schema['default'] === undefined) return;
  const { default: value, ...rest } = schema;
  const decoded = decoderOf(rest)(value);
  if (decoded.tag === 'malformed')
    throw new CrdError(path, `the default does not match the schema: ${decoded.message}`);
}
