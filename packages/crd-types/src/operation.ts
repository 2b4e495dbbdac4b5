import { Type, type Static } from 'typebox';

/** A piece of JSON that only the provider understands. Bounded in size (see `MAX_TICKET_BYTES`) and without secrets. */
const Payload = Type.Record(Type.String(), Type.Unknown(), {
  description:
    "The provider's own notes: baseline, chosen device, the fabric's operation id. Opaque to everybody else.",
  'x-kubernetes-preserve-unknown-fields': true,
});

/** How many devices of a node can be noted before an attach. */
export const MOST_ON_NODE = 256;

/**
 * A fabric operation that was prepared, and perhaps started: the ticket. It is saved in `status.operation` before the
 * fabric is called, so that whoever comes after a crash knows what may have happened.
 */
export const Operation = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 64, description: 'Unique for each operation ever prepared.' }),
    op: Type.Union([Type.Literal('attach'), Type.Literal('detach')], {
      description: 'What the fabric is asked to do.',
    }),
    provider: Type.String({ minLength: 1, maxLength: 128, description: 'Name of the provider that made the ticket.' }),
    version: Type.Integer({ minimum: 1, description: "Version of the provider's payload format." }),
    machine: Type.String({ minLength: 1, maxLength: 256, description: "The fabric's id of the machine." }),
    holder: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'uid of the ComposableResource that the operation is for.',
    }),
    phase: Type.Union([Type.Literal('open'), Type.Literal('attached')], {
      description:
        'open: the outcome is not recorded yet. attached: the fabric is done, the device is not identified on the node yet.',
    }),
    onNode: Type.Optional(
      Type.Array(Type.String({ maxLength: 256 }), {
        maxItems: MOST_ON_NODE,
        description:
          'What the node showed before an attach whose device the fabric has no node id for: none of these is the new one.',
      }),
    ),
    payload: Payload,
  },
  { description: 'The fabric operation under way for this device. Written by the operator only.' },
);
/** A ticket, as `status.operation` holds it. */
export type Operation = Static<typeof Operation>;

/** Largest JSON text of a ticket, in bytes: etcd holds every one of them. */
export const MAX_TICKET_BYTES = 16_384;
