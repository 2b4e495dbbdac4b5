import { createHash } from 'node:crypto';
import { resourceKind } from '@cro/crd-types';
import { apiVersionOf } from '@cro/kube-runtime';
import type { DevicePlace } from './device-place.ts';
import type { FenceRequest } from './fence.ts';
import { DEVICE_TAINT_KEY, FURTHER_RULES_ANNOTATION, isOurs, type TaintRule } from './taint-rule.ts';

const NAME_END = '-taint';
/** How long the name of a resource may be to be one of its rules' as well: names have up to 253 characters, and further rules end in a number. */
const LONGEST = 253 - NAME_END.length - '-999'.length;

/**
 * Name of the first rule of a ComposableResource, as the Go operator names it. One whose name is too long for that, which somebody has
 * chosen, would stay on its node for ever: it is shortened, and ends in what no other has.
 */
export function taintRuleName(resource: string): string {
  if (resource.length <= LONGEST) return `${resource}${NAME_END}`;
  const own = createHash('sha256').update(resource).digest('hex').slice(0, 16);
  const head = resource.slice(0, LONGEST - own.length - 1).replace(/[.-]+$/, '');
  return `${head}-${own}${NAME_END}`;
}

/** The ComposableResource that a first rule is named after; `undefined` when it is named in another way. */
export function resourceNamedBy(rule: string): string | undefined {
  return rule.endsWith(NAME_END) ? rule.slice(0, -NAME_END.length) : undefined;
}

/** Names of the further rules of a ComposableResource. */
export function furtherRuleNames(resource: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${taintRuleName(resource)}-${index + 2}`);
}

/** A rule that is to be put up. */
export interface NewTaintRule {
  readonly metadata: {
    readonly name: string;
    readonly ownerReferences: readonly object[];
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly deviceSelector: DevicePlace;
    readonly taint: { readonly key: string; readonly value: string; readonly effect: 'NoSchedule' };
  };
  /** How many further rules this one tells of. Not written: the annotation says it. */
  readonly further: number;
}

/**
 * The rules that keep new pods from a device, in the order in which they are put up: one for each place, and the one that
 * tells of the others last. Owned by their resource, they cannot outlive it.
 */
export function taintRulesFor(request: FenceRequest, places: readonly DevicePlace[]): readonly NewTaintRule[] {
  const [first, ...others] = places;
  if (first === undefined) return [];
  const { name } = request.resource;
  const further = furtherRuleNames(name, others.length).flatMap((ruleName, index) => {
    const place = others[index];
    return place === undefined ? [] : [ruleFor(ruleName, request, place, 0)];
  });
  return [...further, ruleFor(taintRuleName(name), request, first, others.length)];
}

function ruleFor(name: string, request: FenceRequest, place: DevicePlace, further: number): NewTaintRule {
  const { deviceId, resource } = request;
  const owner = { apiVersion: apiVersionOf(resourceKind), kind: resourceKind.kind, ...resource };
  return {
    metadata: {
      name,
      ownerReferences: [owner],
      ...(further > 0 && { annotations: { [FURTHER_RULES_ANNOTATION]: String(further) } }),
    },
    spec: { deviceSelector: place, taint: { key: DEVICE_TAINT_KEY, value: labelOf(deviceId), effect: 'NoSchedule' } },
    further,
  };
}

/** The value of a taint tells a person which device it is, and has to be one that a label may have. The UUID of a GPU is one as it is. */
function labelOf(deviceId: string): string {
  return deviceId
    .replaceAll(/[^A-Za-z0-9._-]/g, '_')
    .slice(0, 63)
    .replaceAll(/^[._-]+|[._-]+$/g, '');
}

/** What a rule of the right name is: ours, or the Go operator's, which is the same; that of an earlier place; or another's. */
export type RuleOwner = 'fits' | 'outdated' | 'foreign';

/** Looks at a rule that is there already. One that does more than it must (NoExecute) is somebody's wish and is left so. */
export function ownerOfRule({ spec, further }: TaintRule, wanted: NewTaintRule): RuleOwner {
  if (!isOurs(spec)) return 'foreign';
  const { deviceSelector: selected, taint } = spec;
  const { driver, pool, device } = wanted.spec.deviceSelector;
  const keepsAway = taint.effect === 'NoSchedule' || taint.effect === 'NoExecute';
  const selects = selected?.driver === driver && selected.pool === pool && selected.device === device;
  const fits = keepsAway && selects && taint.value === wanted.spec.taint.value && further >= wanted.further;
  return fits ? 'fits' : 'outdated';
}
