import { Type, type TSchema } from 'typebox';

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
