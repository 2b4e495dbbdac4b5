import { isList, isObject, type JsonObject, type JsonValue, NOTHING, objectAt, stringAt } from '../base/json.ts';
import { type FieldShape, type Shape, shapes } from './shapes.ts';
import { readWire } from './wire.ts';

/** The media type in which kubectl sends some of the built-in kinds. */
export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** The first bytes of every such body (k8s.io/apimachinery/pkg/runtime/serializer/protobuf). */
const MAGIC = Buffer.from('k8s\0', 'latin1');

const typeMeta: Shape = new Map([
  [1, { name: 'apiVersion', type: 'string' }],
  [2, { name: 'kind', type: 'string' }],
]);
const envelope: Shape = new Map<number, FieldShape>([
  [1, { name: 'typeMeta', type: typeMeta }],
  [2, { name: 'raw', type: 'bytes' }],
]);

/** The object in a protobuf body; undefined when it is none, or of a kind that is not read here. */
export function decodeProtobuf(body: Buffer): JsonObject | undefined {
  if (!body.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const outer = decodeMessage(body.subarray(MAGIC.length), envelope);
  const kind = stringAt(outer, 'typeMeta', 'kind') ?? '';
  const shape = shapes.get(kind);
  if (outer === undefined || shape === undefined) return undefined;
  const object = decodeMessage(Buffer.from(stringAt(outer, 'raw') ?? '', 'base64'), shape);
  return object === undefined ? undefined : { ...objectAt(outer, 'typeMeta'), ...object };
}

function decodeMessage(bytes: Buffer, shape: Shape): JsonObject | undefined {
  const fields = readWire(bytes);
  if (fields === undefined) return undefined;
  const result: Record<string, JsonValue> = {};
  for (const { number, value } of fields) {
    const field = shape.get(number);
    if (field === undefined) continue;
    const decoded = field.repeated === 'map' ? decodeEntry(value, field) : decodeValue(value, field);
    if (decoded === undefined) return undefined;
    // Go writes empty strings where nothing was set.
    if (decoded === '') continue;
    result[field.name] = add(result[field.name], decoded, field);
  }
  return result;
}

function add(known: JsonValue | undefined, decoded: JsonValue, field: FieldShape): JsonValue {
  if (field.repeated === 'list') return [...(isList(known) ? known : []), decoded];
  if (field.repeated === undefined) return decoded;
  return { ...(isObject(known) ? known : NOTHING), ...(isObject(decoded) ? decoded : NOTHING) };
}

function decodeEntry(value: number | Buffer, field: FieldShape): JsonObject | undefined {
  const parts = typeof value === 'number' ? undefined : readWire(value);
  if (parts === undefined) return undefined;
  const key = parts.find(({ number }) => number === 1)?.value ?? Buffer.of();
  const found = parts.find(({ number }) => number === 2)?.value ?? Buffer.of();
  const decoded = decodeValue(found, field);
  return typeof key === 'number' || decoded === undefined ? undefined : { [key.toString('utf8')]: decoded };
}

function decodeValue(value: number | Buffer, { type }: FieldShape): JsonValue | undefined {
  if (typeof value === 'number') return type === 'bool' ? value !== 0 : type === 'int' ? value : undefined;
  if (type === 'string') return value.toString('utf8');
  if (type === 'bytes') return value.toString('base64');
  return type === 'bool' || type === 'int' ? undefined : decodeMessage(value, type);
}
