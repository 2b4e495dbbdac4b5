import { wireDecoder } from '@cro/cdi-core';
import { Type, type Static } from 'typebox';

/*
 * The Cluster Manager's wire format, from go-operator-tests.md, section 2.2. Only what is used is checked. A device on its way
 * may have no ids yet.
 */

const id = '^(?:[A-Za-z0-9][A-Za-z0-9._:@-]{0,255})?$';

const Device = Type.Object({
  /** What the node knows the device by, and what a resize names. */
  device_id: Type.Optional(Type.String({ pattern: id })),
  status: Type.Optional(Type.String()),
  status_reason: Type.Optional(Type.String()),
  detail: Type.Optional(
    Type.Object({
      res_uuid: Type.Optional(Type.String({ pattern: id })),
      /** A text whose first character counts: 0 ok, 1 warning, 2 critical. */
      res_op_status: Type.Optional(Type.Union([Type.String(), Type.Number()])),
    }),
  ),
});
/** A device of a machine. */
export type WireDevice = Static<typeof Device>;

const Condition = Type.Object({ column: Type.String(), operator: Type.String(), value: Type.Unknown() });

const ResSpec = Type.Object({
  spec_uuid: Type.String({ minLength: 1, maxLength: 256 }),
  type: Type.String(),
  selector: Type.Optional(
    Type.Object({
      expression: Type.Optional(Type.Object({ conditions: Type.Optional(Type.Array(Condition)) })),
    }),
  ),
  max_resspec_count: Type.Optional(Type.Integer({ minimum: 0 })),
  device_count: Type.Optional(Type.Integer({ minimum: 0 })),
  devices: Type.Optional(Type.Array(Device)),
});
/** How many devices of one kind a machine has and may have. */
export type WireSpec = Static<typeof ResSpec>;

const Answer = Type.Object({
  data: Type.Object({
    cluster: Type.Object({
      machine: Type.Object({ uuid: Type.Optional(Type.String()), resspecs: Type.Optional(Type.Array(ResSpec)) }),
    }),
  }),
});
/** One machine. */
export type WireMachine = Static<typeof Answer>;

/** Answer of a machine's GET. */
export const decodeMachine = /* @__PURE__ */ wireDecoder(Answer);

/** Takes any body: a resize is told by its status alone. */
export const decodeAnything = /* @__PURE__ */ wireDecoder(Type.Unknown());
