import { Type, type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { parseJson } from '../core/decode.ts';

/** FM's only condition: a device's model. */
export const ConditionSchema = Type.Object({
  column: Type.Literal('model'),
  operator: Type.Literal('eq'),
  value: Type.String({ minLength: 1 }),
});

const frame = <Spec extends TSchema>(spec: Spec) =>
  Type.Object({
    tenants: Type.Object({
      tenant_uuid: Type.String(),
      machines: Type.Tuple([
        Type.Object({
          mach_uuid: Type.String(),
          resources: Type.Array(Type.Object({ res_specs: Type.Array(spec, { minItems: 1 }) }), { minItems: 1 }),
        }),
      ]),
    }),
  });

/** Body of an attach: so many devices of a type and model. */
export const AttachBodySchema = frame(
  Type.Object({
    res_type: Type.String({ minLength: 1 }),
    res_spec: Type.Object({ condition: Type.Tuple([ConditionSchema]) }),
    res_num: Type.Integer({ minimum: 1 }),
  }),
);

/** Body of a detach: these devices. */
export const DetachBodySchema = frame(
  Type.Object({
    res_type: Type.String({ minLength: 1 }),
    res_uuid: Type.String({ minLength: 1 }),
    res_num: Type.Literal(1),
  }),
);

/** A text read by a schema, or what is wrong with it and where. */
export type Read<T> =
  { readonly tag: 'value'; readonly value: T } | { readonly tag: 'failed'; readonly reason: string };

/** Reads JSON by a schema; the reason names the field at fault. */
export function readJson<Schema extends TSchema>(schema: Schema, text: string, what: string): Read<Static<Schema>> {
  const json = parseJson(text);
  if (json.tag === 'failed') return { tag: 'failed', reason: `${what} is not JSON: ${json.reason}` };
  if (Value.Check(schema, json.value)) return { tag: 'value', value: json.value };
  const [first] = Value.Errors(schema, json.value);
  const where = first === undefined || first.instancePath === '' ? what : `${what}${first.instancePath}`;
  return { tag: 'failed', reason: `${where} ${first?.message ?? 'does not match'}` };
}
