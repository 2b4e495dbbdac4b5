import { decoderOf } from '@cro/crd-types';
import { Type, type Static, type TSchema } from 'typebox';

/*
 * The Fabric Manager's wire format, from go-operator-tests.md, section 2.3. Only what is used is checked, and what may
 * be missing on a live machine may be missing here: a server written in Go sends null for an empty list.
 */

const absent = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

const Condition = Type.Object({ column: Type.String(), operator: Type.String(), value: Type.Unknown() });

/** One device, processor or memory of a machine. */
export const Resource = Type.Object({
  res_uuid: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._:@-]{0,255}$' }),
  res_type: Type.String(),
  res_serial_num: absent(Type.String({ pattern: '^[ -~]{0,255}$' })),
  /** A text whose first character counts: 0 ok, 1 warning, 2 critical. */
  res_op_status: absent(Type.Union([Type.String(), Type.Number()])),
  res_spec: absent(Type.Object({ condition: absent(Type.Array(Condition)) })),
});
/** One device, processor or memory of a machine. */
export type Resource = Static<typeof Resource>;

const Machine = Type.Object({ mach_uuid: absent(Type.String()), resources: absent(Type.Array(Resource)) });
/** A machine and what is in it. */
export type Machine = Static<typeof Machine>;

const Machines = Type.Object({ data: Type.Object({ machines: absent(Type.Array(Machine)) }) });
/** Some machines. */
export type Machines = Static<typeof Machines>;

const Available = Type.Object({ reserved_res_num_per_fabric: Type.Integer({ minimum: 0 }) });
/** How many devices are free. */
export type Available = Static<typeof Available>;

/** Answer of a machine's GET, of the list of machines, and of an attach. */
export const decodeMachines = /* @__PURE__ */ decoderOf(Machines);

/** Answer of `available-reserved-resources`. */
export const decodeAvailable = /* @__PURE__ */ decoderOf(Available);

/** The frame around every error. `message` is a text or any JSON. */
export const decodeErrorFrame = /* @__PURE__ */ decoderOf(
  Type.Object({ detail: Type.Object({ code: Type.String(), message: Type.Unknown() }) }),
);

/** Takes any body: a detach is told by its status alone. */
export const decodeAnything = /* @__PURE__ */ decoderOf(Type.Unknown());
