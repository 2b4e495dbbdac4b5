import { wireDecoder } from '@cro/cdi-core';
import { Type, type Static } from 'typebox';

/*
 * The Fabric Manager's wire format, from go-operator-tests.md, section 2.3. Only what is used is checked, and what may
 * be missing on a live machine may be missing here.
 */

const Condition = Type.Object({ column: Type.String(), operator: Type.String(), value: Type.Unknown() });

/** One device, processor or memory of a machine. */
export const Resource = Type.Object({
  res_uuid: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._:@-]{0,255}$' }),
  res_type: Type.String(),
  res_serial_num: Type.Optional(Type.String({ pattern: '^[ -~]{0,255}$' })),
  /** A text whose first character counts: 0 ok, 1 warning, 2 critical. */
  res_op_status: Type.Optional(Type.Union([Type.String(), Type.Number()])),
  res_spec: Type.Optional(Type.Object({ condition: Type.Optional(Type.Array(Condition)) })),
});
/** One device, processor or memory of a machine. */
export type Resource = Static<typeof Resource>;

const Machine = Type.Object({
  mach_uuid: Type.Optional(Type.String()),
  resources: Type.Optional(Type.Array(Resource)),
});
/** A machine and what is in it. */
export type Machine = Static<typeof Machine>;

const Machines = Type.Object({ data: Type.Object({ machines: Type.Optional(Type.Array(Machine)) }) });
/** Some machines. */
export type Machines = Static<typeof Machines>;

const Available = Type.Object({ reserved_res_num_per_fabric: Type.Integer({ minimum: 0 }) });
/** How many devices are free. */
export type Available = Static<typeof Available>;

/** Answer of a machine's GET, of the list of machines, and of an attach. */
export const decodeMachines = /* @__PURE__ */ wireDecoder(Machines);

/** Answer of `available-reserved-resources`. */
export const decodeAvailable = /* @__PURE__ */ wireDecoder(Available);

/** Takes any body: a detach is told by its status alone. */
export const decodeAnything = /* @__PURE__ */ wireDecoder(Type.Unknown());
