import { wireDecoder } from '@cro/cdi-core';
import { Type, type Static } from 'typebox';

/*
 * The wire formats of configuration-manager and layout-apply 0.1.1 (nec-and-sunfish.md, sections 1.2 and 1.3) and what later
 * versions changed. Only what is used is checked; the ids go into URLs, so their form is.
 */

const Id = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._:@-]{0,255}$' });
const Reference = Type.Object({ type: Type.Optional(Type.String()), deviceID: Type.Optional(Type.String()) });

const Device = Type.Object({
  deviceID: Id,
  type: Type.String(),
  model: Type.Optional(Type.String()),
  status: Type.Optional(Type.Object({ state: Type.Optional(Type.String()), health: Type.Optional(Type.String()) })),
  links: Type.Optional(Type.Array(Reference)),
  constraints: Type.Optional(Type.Object({ nonRemovableDevices: Type.Optional(Type.Array(Type.Unknown())) })),
  attribute: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
/** A device, as configuration-manager keeps it and hw-control shows it: free-form but for these. */
export type Device = Static<typeof Device>;

const Resource = Type.Object({
  device: Device,
  annotation: Type.Optional(
    Type.Object({
      available: Type.Optional(Type.Boolean()),
      // From 0.2 on.
      systemItems: Type.Optional(Type.Object({ available: Type.Optional(Type.Boolean()) })),
    }),
  ),
  nodeIDs: Type.Optional(Type.Array(Type.String())),
  detected: Type.Optional(Type.Boolean()),
});
/** A resource: a device and what is noted of it. */
export type Resource = Static<typeof Resource>;

const Resources = Type.Object({ resources: Type.Optional(Type.Array(Type.Unknown())) });
/** Several of them, each still to be read: one that cannot be must not hide the others. */
export type Resources = Static<typeof Resources>;

const ApplyId = Type.String({ pattern: '^[0-9a-f]{10}$' });
const Item = Type.Object({
  operationID: Type.Optional(Type.Number()),
  status: Type.Optional(Type.String()),
  statusCode: Type.Optional(Type.Unknown()),
  responseBody: Type.Optional(Type.Unknown()),
  /** What was asked before the call itself. */
  getInformation: Type.Optional(Type.Unknown()),
  /** What was asked after power was switched on. */
  isOSBoot: Type.Optional(Type.Unknown()),
});
/** What became of one step. */
export type Item = Static<typeof Item>;

const Apply = Type.Object({
  applyID: ApplyId,
  status: Type.String(),
  rollbackStatus: Type.Optional(Type.String()),
  startedAt: Type.Optional(Type.String()),
  resumedAt: Type.Optional(Type.String()),
  procedures: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
  applyResult: Type.Optional(Type.Array(Item)),
  resumeResult: Type.Optional(Type.Array(Item)),
});
/** An apply. */
export type Apply = Static<typeof Apply>;

const Applies = Type.Object({
  totalCount: Type.Optional(Type.Number()),
  applyResults: Type.Optional(Type.Array(Apply)),
});
/** A page of the history. */
export type Applies = Static<typeof Applies>;

/** The answer to a question that belongs to a step. */
const Asked = Type.Object({ responseBody: Type.Unknown() });

/** An error of any of the services: `message` is a text or a list of what is wrong. */
const ErrorBody = Type.Object({
  code: Type.String(),
  message: Type.Optional(Type.Unknown()),
  status: Type.Optional(Type.String()),
});

/** A device, from hw-control. */
export const decodeDevice = /* @__PURE__ */ wireDecoder(Device);
/** A resource. */
export const decodeResource = /* @__PURE__ */ wireDecoder(Resource);
/** Several resources. */
export const decodeResources = /* @__PURE__ */ wireDecoder(Resources);
/** The answer to a POST of an apply. */
export const decodeAccepted = /* @__PURE__ */ wireDecoder(Type.Object({ applyID: ApplyId }));
/** An apply. */
export const decodeApply = /* @__PURE__ */ wireDecoder(Apply);
/** A page of the history. */
export const decodeApplies = /* @__PURE__ */ wireDecoder(Applies);
/** The answer to a cancel or resume. */
export const decodeSteered = /* @__PURE__ */ wireDecoder(Type.Object({ status: Type.String() }));
/** Takes any body. */
export const decodeAnything = /* @__PURE__ */ wireDecoder(Type.Unknown());
/** The answer to a question that belongs to a step. */
export const decodeAsked = /* @__PURE__ */ wireDecoder(Asked);
/** The error body of any of the services. */
export const decodeError = /* @__PURE__ */ wireDecoder(ErrorBody);
