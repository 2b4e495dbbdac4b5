import { isRecord } from '../schema-value.ts';
import { CrdError } from './crd-error.ts';

type Node = Readonly<Record<string, unknown>>;

/** The key pattern that TypeBox writes for `Type.Record(Type.String(), ...)`: any key. */
const ANY_KEY = '^.*$';

/**
 * Rewrites what TypeBox says in JSON Schema's words into those of OpenAPI v3: literals and unions of literals become
 * `enum`, records become `additionalProperties`, exclusive limits become flags. Everything else stays as it is.
 */
export function normalize(node: Node, path: string): Node {
  return withExclusiveLimit(
    withExclusiveLimit(withMap(withEnum(node, path)), 'minimum', 'exclusiveMinimum', path),
    'maximum',
    'exclusiveMaximum',
    path,
  );
}

function withEnum(node: Node, path: string): Node {
  if (node['x-kubernetes-int-or-string'] === true) return withoutIntOrStringUnion(node);
  const { anyOf, const: literal, ...rest } = node;
  if (anyOf === undefined && literal === undefined) return typedEnum(rest, path);
  if (anyOf === undefined) return typedEnum({ ...rest, enum: [literal] }, path);
  if (!Array.isArray(anyOf) || !anyOf.every((branch) => isRecord(branch) && 'const' in branch)) {
    throw new CrdError(
      path,
      'a union may only be one of literals (an enum); give the variants a field of their own each',
    );
  }
  return typedEnum({ ...rest, enum: anyOf.map((branch: Node) => branch['const']) }, path);
}

/** `x-kubernetes-int-or-string` says by itself what the union of an integer and a string says. */
function withoutIntOrStringUnion(node: Node): Node {
  const { anyOf, ...rest } = node;
  const types = Array.isArray(anyOf) ? anyOf.map((branch) => (isRecord(branch) ? branch['type'] : undefined)) : [];
  return types.length === 2 && types.includes('integer') && types.includes('string') ? rest : node;
}

/** An enum needs a type, and all of its values must have it. */
function typedEnum(node: Node, path: string): Node {
  if (!Array.isArray(node['enum'])) return node;
  const types = new Set(node['enum'].map((value) => typeof value));
  const [type] = types;
  if (types.size !== 1 || (type !== 'string' && type !== 'number' && type !== 'boolean')) {
    throw new CrdError(
      path,
      `the values of an enum must all be strings, all numbers or all booleans, found ${[...types].join(', ')}`,
    );
  }
  const numeric = node['enum'].every(Number.isInteger) ? 'integer' : 'number';
  return { ...node, type: node['type'] ?? (type === 'number' ? numeric : type) };
}

function withMap(node: Node): Node {
  const { patternProperties, ...rest } = node;
  if (!isRecord(patternProperties) || Object.keys(patternProperties).join() !== ANY_KEY) return node;
  const values = patternProperties[ANY_KEY];
  // A map of anything is what x-kubernetes-preserve-unknown-fields already says.
  const anything = isRecord(values) && Object.keys(values).length === 0;
  return anything && rest['x-kubernetes-preserve-unknown-fields'] === true
    ? rest
    : { ...rest, additionalProperties: values };
}

/** JSON Schema's exclusive limit is a number, OpenAPI v3's a flag beside the limit. */
function withExclusiveLimit(node: Node, limit: string, exclusive: string, path: string): Node {
  if (typeof node[exclusive] !== 'number') return node;
  if (node[limit] !== undefined) throw new CrdError(path, `has both ${limit} and ${exclusive}; keep the narrower one`);
  return { ...node, [limit]: node[exclusive], [exclusive]: true };
}
