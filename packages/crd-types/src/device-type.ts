import { Type, type Static } from 'typebox';

/** Kinds of devices that a fabric can move. */
export const DeviceType = Type.Union([Type.Literal('gpu'), Type.Literal('cxlmemory')], {
  description: 'Kind of device.',
});
/** `gpu` or `cxlmemory`. */
export type DeviceType = Static<typeof DeviceType>;
