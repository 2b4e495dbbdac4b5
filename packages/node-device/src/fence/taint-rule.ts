import type { Decoded, Kind, KubeObject } from '@cro/kube-runtime';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

/** Key of the taint, as the Go operator writes it. Its value is the device's UUID. */
export const DEVICE_TAINT_KEY = 'k8s.io/device-uuid';

/** On the first rule of a device that has several entries in slices: how many further rules there are, in decimal. */
export const FURTHER_RULES_ANNOTATION = 'cohdi.io/further-taint-rules';
/** A count that is higher was not written by us: a GPU has less than 64 MIG devices, as one slice holds all that share counters. */
const MOST_FURTHER = 128;

const Shape = Type.Object({
  metadata: Type.Object({
    name: Type.String(),
    uid: Type.String(),
    resourceVersion: Type.String(),
    annotations: Type.Optional(Type.Record(Type.String(), Type.String())),
    ownerReferences: Type.Optional(Type.Array(Type.Unknown())),
  }),
  spec: Type.Object({
    deviceSelector: Type.Optional(
      Type.Object({
        driver: Type.Optional(Type.String()),
        pool: Type.Optional(Type.String()),
        device: Type.Optional(Type.String()),
      }),
    ),
    taint: Type.Object({ key: Type.String(), value: Type.Optional(Type.String()), effect: Type.String() }),
  }),
});
const shape = Compile(Shape);

/** The part of a DeviceTaintRule that is read. The fields are the same in v1alpha3 (1.33), v1beta2 (1.36) and v1 (1.37). */
export interface TaintRule extends KubeObject {
  /** How many further rules there are for the same device. */
  readonly further: number;
  /** Whether it goes with an object that owns it. */
  readonly owned: boolean;
  readonly spec: Static<typeof Shape>['spec'];
}

/** The kind in one of the versions that it has been served in. */
export function taintRuleKind(version: string): Kind<TaintRule> {
  return {
    group: 'resource.k8s.io',
    version,
    kind: 'DeviceTaintRule',
    plural: 'devicetaintrules',
    namespaced: false,
    decode: (value) => decodeRule(value, version),
  };
}

function decodeRule(value: unknown, version: string): Decoded<TaintRule> {
  if (!shape.Check(value)) {
    const [first] = shape.Errors(value);
    return { tag: 'malformed', message: `DeviceTaintRule: ${first?.instancePath ?? ''} ${first?.message ?? ''}` };
  }
  const { name, uid, resourceVersion, annotations = {}, ownerReferences = [] } = value.metadata;
  const object = {
    apiVersion: `resource.k8s.io/${version}`,
    kind: 'DeviceTaintRule',
    metadata: { name, uid, resourceVersion },
    further: furtherIn(annotations),
    owned: ownerReferences.length > 0,
    spec: value.spec,
  };
  return { tag: 'ok', object };
}

/** How many further rules the first one of a device says that there are; a count that nobody wrote for us is none. */
function furtherIn(annotations: Readonly<Record<string, string>>): number {
  const count = Number(annotations[FURTHER_RULES_ANNOTATION] ?? '0');
  return Number.isInteger(count) && count > 0 && count <= MOST_FURTHER ? count : 0;
}

/** Whether a rule is one that this operator, or the Go operator, put up. */
export function isOurs({ taint }: TaintRule['spec']): boolean {
  return taint.key === DEVICE_TAINT_KEY;
}
