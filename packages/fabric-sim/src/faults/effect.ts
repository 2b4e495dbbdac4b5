import type { ReplyHeaders } from '../core/http.ts';
import type { ApplyEnd } from '../nec/apply-record.ts';
import type { OpStatus } from '../pool/device.ts';

/**
 * When a fault strikes: before the call does anything, or after it has changed the fabric (or read it) and before the
 * client gets the answer.
 */
export type Moment = 'beforeChange' | 'afterChange';

/** A body that a fault puts in place of the fabric's own. */
export type FaultBody = { readonly json: unknown } | { readonly html: string };

/**
 * What goes wrong with a call.
 *
 * - `delay`: the call takes `ms` milliseconds longer.
 * - `hang`: no answer ever; the connection stays open until the client gives up.
 * - `loseReply`: the connection is closed without an answer.
 * - `answer`: this status and body, with these headers, whatever the call would have answered.
 * - `omitFields`: properties of these names are left out of the answer, at every depth.
 * - `emptyLists`: lists of these names (`machines`, `resources`, ...) are `[]` in the answer, at every depth.
 * - `setFields`: the answer, where it is an object, has these properties.
 * - `arrive` (attach): the devices arrive with this `res_op_status`; it may be empty.
 * - `surplus` (attach): `count` more free devices of the model are attached than were asked for. The answer shows them, after
 *   those asked for, only with `inReply`.
 * - `exhausted` (attach, inventory): as if no device were free.
 * - `applyEnds` (attach or detach of NEC): the apply that this call begins comes to that end.
 * - `endTask` (attach, detach): the change is not made; its task ends in this state.
 * - `resizeFails` (attach or detach of CM): the resize is accepted and comes to nothing: its device is listed `ADD_FAILED` or
 *   `REMOVE_FAILED` with this reason, or with `vanishes` all is as it was before, without a word.
 * - `unlistedFor` (attach of CM): for `ms` milliseconds the accepted device is in the count and not in the list.
 * - `wrongDevice` (detach of CM): another device of the spec is taken away than the one named.
 * - `badToken` (token): the access token is no JWT, or its payload is not base64url, or not JSON.
 */
export type Effect =
  | { readonly tag: 'delay'; readonly ms: number; readonly when?: Moment }
  | { readonly tag: 'hang'; readonly when?: Moment }
  | { readonly tag: 'loseReply'; readonly when: Moment }
  | {
      readonly tag: 'answer';
      readonly status: number;
      readonly body: FaultBody;
      readonly headers?: ReplyHeaders;
      readonly when?: Moment;
    }
  | { readonly tag: 'omitFields'; readonly fields: readonly string[] }
  | { readonly tag: 'emptyLists'; readonly fields: readonly string[] }
  | { readonly tag: 'setFields'; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly tag: 'arrive'; readonly opStatus: OpStatus }
  | { readonly tag: 'surplus'; readonly count: number; readonly inReply?: boolean }
  | { readonly tag: 'exhausted' }
  | { readonly tag: 'applyEnds'; readonly end: ApplyEnd }
  | { readonly tag: 'endTask'; readonly state: 'Exception' | 'Cancelled' | 'Killed' }
  | { readonly tag: 'resizeFails'; readonly reason: string; readonly vanishes?: boolean }
  | { readonly tag: 'unlistedFor'; readonly ms: number }
  | { readonly tag: 'wrongDevice' }
  | { readonly tag: 'badToken'; readonly flaw: 'notJwt' | 'badBase64' | 'badJson' };

/** The effects of one kind among those of a call. */
export function effectsOf<Tag extends Effect['tag']>(
  effects: readonly Effect[],
  tag: Tag,
): readonly Extract<Effect, { tag: Tag }>[] {
  return effects.filter((effect): effect is Extract<Effect, { tag: Tag }> => effect.tag === tag);
}
