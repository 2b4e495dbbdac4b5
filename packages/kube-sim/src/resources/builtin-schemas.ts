import type { JsonObject } from '../base/json.ts';

const text: JsonObject = { type: 'string' };
const integer: JsonObject = { type: 'integer', format: 'int32' };
const flag: JsonObject = { type: 'boolean' };
const time: JsonObject = { type: 'string', nullable: true };
const texts: JsonObject = { type: 'object', nullable: true, additionalProperties: text };

function shape(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, required };
}

const reference = shape(
  Object.fromEntries(
    ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((name) => [name, text]),
  ),
);

/** `ConfigMap` (core/v1). */
export const configMapSchema = shape({ data: texts, binaryData: texts, immutable: flag });

/** `Secret` (core/v1). */
export const secretSchema = shape({ data: texts, stringData: texts, type: text, immutable: flag });

/** `Event` (core/v1). */
export const eventSchema = shape(
  {
    involvedObject: reference,
    related: reference,
    reason: text,
    message: text,
    source: shape({ component: text, host: text }),
    firstTimestamp: time,
    lastTimestamp: time,
    eventTime: time,
    series: { ...shape({ count: integer, lastObservedTime: time }), nullable: true },
    count: integer,
    type: text,
    action: text,
    reportingComponent: text,
    reportingInstance: text,
  },
  ['involvedObject'],
);

/** `Lease` (coordination.k8s.io/v1). */
export const leaseSchema = shape({
  spec: shape({
    holderIdentity: text,
    leaseDurationSeconds: integer,
    acquireTime: time,
    renewTime: time,
    leaseTransitions: integer,
    strategy: text,
    preferredHolder: text,
  }),
});

const condition = shape(
  {
    type: text,
    status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
    observedGeneration: { type: 'integer' },
    lastTransitionTime: { type: 'string', format: 'date-time' },
    reason: { type: 'string', minLength: 1 },
    message: text,
  },
  ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
);

/** `DeviceTaintRule` (resource.k8s.io, v1alpha3 to v1). */
export const deviceTaintRuleSchema = shape(
  {
    spec: shape(
      {
        deviceSelector: { ...shape({ driver: text, pool: text, device: text }), nullable: true },
        taint: shape(
          {
            key: { type: 'string', minLength: 1, maxLength: 317 },
            value: { type: 'string', maxLength: 63 },
            effect: { type: 'string', enum: ['NoExecute', 'NoSchedule', 'None'] },
            timeAdded: time,
          },
          ['key', 'effect'],
        ),
      },
      ['taint'],
    ),
    status: shape({
      conditions: {
        type: 'array',
        items: condition,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['type'],
      },
    }),
  },
  ['spec'],
);
