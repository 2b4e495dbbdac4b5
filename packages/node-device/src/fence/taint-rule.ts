import { resourceKind } from '@cro/crd-types';
import { apiVersionOf, type Decoded, type Kind, type KubeObject } from '@cro/kube-runtime';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { DevicePlace } from './device-place.ts';
import type { FenceRequest } from './fence.ts';

/** Key of the taint, as the Go operator writes it. Its value is the device's UUID. */
export const DEVICE_TAINT_KEY = 'k8s.io/device-uuid';

const Shape = Type.Object({
  metadata: Type.Object({ name: Type.String(), uid: Type.String(), resourceVersion: Type.String() }),
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
  const { name, uid, resourceVersion } = value.metadata;
  const metadata = { name, uid, resourceVersion };
  const object = { apiVersion: `resource.k8s.io/${version}`, kind: 'DeviceTaintRule', metadata, spec: value.spec };
  return { tag: 'ok', object };
}

/** Name of the rule of a ComposableResource, as the Go operator names it. */
export function taintRuleName(resource: string): string {
  return `${resource}-taint`;
}

/** The rule that keeps new pods from a device. Owned by its resource, it cannot outlive it. */
export function taintRuleFor({ deviceId, resource }: FenceRequest, { driver, pool, device }: DevicePlace) {
  const owner = { apiVersion: apiVersionOf(resourceKind), kind: resourceKind.kind, ...resource };
  return {
    metadata: { name: taintRuleName(resource.name), ownerReferences: [owner] },
    spec: {
      deviceSelector: { driver, pool, device },
      taint: { key: DEVICE_TAINT_KEY, value: deviceId, effect: 'NoSchedule' },
    },
  };
}

/** What a rule of the right name is: ours, or the Go operator's, which is the same; that of an earlier place; or another's. */
export type RuleOwner = 'fits' | 'outdated' | 'foreign';

/** Looks at a rule that is there already. One that does more than it must (NoExecute) is somebody's wish and is left so. */
export function ownerOfRule({ spec }: TaintRule, deviceId: string, place: DevicePlace): RuleOwner {
  if (!isOurs(spec)) return 'foreign';
  const { deviceSelector: selected, taint } = spec;
  const keepsAway = taint.effect === 'NoSchedule' || taint.effect === 'NoExecute';
  const selects = selected?.driver === place.driver && selected.pool === place.pool && selected.device === place.device;
  return keepsAway && selects && taint.value === deviceId ? 'fits' : 'outdated';
}

/** Whether a rule is one that this operator, or the Go operator, put up. */
export function isOurs({ taint }: TaintRule['spec']): boolean {
  return taint.key === DEVICE_TAINT_KEY;
}
