import { Type, type Static } from 'typebox';

/** A standard Kubernetes condition (`metav1.Condition`). */
export const Condition = Type.Object({
  type: Type.String({ maxLength: 316, description: 'Name of the condition, positive: Ready, Attached, ...' }),
  status: Type.Union([Type.Literal('True'), Type.Literal('False'), Type.Literal('Unknown')]),
  observedGeneration: Type.Optional(
    Type.Integer({ minimum: 0, format: 'int64', description: 'metadata.generation that it was set for.' }),
  ),
  lastTransitionTime: Type.String({ format: 'date-time', description: 'When status last changed.' }),
  reason: Type.String({ minLength: 1, maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' }),
  message: Type.String({ maxLength: 32768 }),
});
/** One entry of `status.conditions`. */
export type Condition = Static<typeof Condition>;

/** `status.conditions`: a list that is a map by `type`. */
export const Conditions = Type.Array(Condition, {
  description: 'Standard Kubernetes conditions.',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
});
