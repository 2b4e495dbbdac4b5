import type { ComposableResource, Operation } from '@cro/crd-types';
import { deviceOf, isInDoubt } from './project.ts';

/** What a ComposableResource is to an operator that knows nothing of tickets, the Go operator above all. */
export type Handover =
  /** Not to be handed over yet: `why` for a person. */
  | { readonly tag: 'open'; readonly why: string }
  /** There is no device for it, and nobody is at work on one: whoever comes next attaches one, as is wanted. */
  | { readonly tag: 'withoutDevice' }
  /** Its device is recorded, under the id that the node knows it by: no other one is attached for it. */
  | { readonly tag: 'withDevice' };

/**
 * Whether an object can be handed over. The Go operator attaches for every `Attaching` object without a device_id, and lets go
 * of every other one without calling the fabric: what has a ticket, and what has a device that the node's id of is not known,
 * would be attached twice or lost.
 */
export function handoverOf({ status }: ComposableResource): Handover {
  const operation = status?.operation;
  if (operation !== undefined) return { tag: 'open', why: ticketText(operation) };
  if (isInDoubt(status)) {
    return {
      tag: 'open',
      why: 'another operator left it in the middle of an attach: a device may still turn up for it',
    };
  }
  switch (deviceOf(status)) {
    case 'none':
      return { tag: 'withoutDevice' };
    case 'identified':
    case 'released':
      return { tag: 'withDevice' };
    case 'unidentified':
      return { tag: 'open', why: 'its device has no device_id yet, so that another operator would not know of it' };
  }
}

function ticketText({ op, phase, machine }: Operation): string {
  return phase === 'attached'
    ? `its device is attached to machine ${machine}, and not identified on the node`
    : `the outcome of its ${op} on machine ${machine} is not known yet`;
}
