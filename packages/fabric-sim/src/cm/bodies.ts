import { Type, type Static } from 'typebox';

/** Body of a resize that asks for more: so many devices of a spec in all. */
export const GrowBodySchema = Type.Object({
  increase_resource_count: Type.Object({
    spec_uuid: Type.String({ minLength: 1 }),
    device_count: Type.Integer({ minimum: 1 }),
  }),
});
/** What a resize that asks for more names. */
export type Grow = Static<typeof GrowBodySchema>['increase_resource_count'];

/** Body of a resize that asks for fewer: these devices away, which leaves so many. */
export const ShrinkBodySchema = Type.Object({
  remove_resources: Type.Object({
    spec_uuid: Type.String({ minLength: 1 }),
    device_count: Type.Integer({ minimum: 0 }),
    devices: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
  }),
});
/** What a resize that asks for fewer names. */
export type Shrink = Static<typeof ShrinkBodySchema>['remove_resources'];
