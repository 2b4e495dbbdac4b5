import { listAt, numberAt, stringAt } from '../base/json.ts';
import { checkLease, undecodableLease } from './builtin-checks.ts';
import { leaseSchema } from './builtin-schemas.ts';
import { coreKinds, eventColumns } from './builtin-core.ts';
import { type BuiltinKind, builtinType } from './builtin-type.ts';
import { checkCrd } from './check-crd.ts';
import { checkWebhooks, prepareWebhooks } from './builtin-webhooks.ts';
import { NAME_COLUMN, textColumn } from './columns.ts';
import { establishCrd } from './establish-crd.ts';
import type { Column, ResourceType } from './resource-type.ts';
import { taintRuleTypes, type TaintRuleVersion } from './taint-rule.ts';

const dra = { group: 'resource.k8s.io', version: 'v1', status: false } as const;
const admission = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false } as const;

const webhooks = textColumn('Webhooks', (object) => listAt(object, 'webhooks').length);

const kinds: readonly BuiltinKind[] = [
  ...coreKinds,
  {
    group: 'apps',
    version: 'v1',
    kind: 'DaemonSet',
    plural: 'daemonsets',
    namespaced: true,
    status: true,
    shortNames: ['ds'],
    categories: ['all'],
    columns: [
      textColumn('Desired', (set) => numberAt(set, 'status', 'desiredNumberScheduled') ?? 0),
      textColumn('Ready', (set) => numberAt(set, 'status', 'numberReady') ?? 0),
    ],
  },
  {
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    plural: 'deployments',
    namespaced: true,
    status: true,
    shortNames: ['deploy'],
    categories: ['all'],
  },
  {
    group: 'coordination.k8s.io',
    version: 'v1',
    kind: 'Lease',
    plural: 'leases',
    namespaced: true,
    columns: [textColumn('Holder', (lease) => stringAt(lease, 'spec', 'holderIdentity'))],
    schema: leaseSchema,
    undecodable: undecodableLease,
    check: checkLease,
  },
  {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    namespaced: false,
    status: true,
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
  },
  {
    ...admission,
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
    columns: [webhooks],
    prepare: prepareWebhooks,
    check: checkWebhooks,
  },
  {
    ...dra,
    kind: 'ResourceSlice',
    plural: 'resourceslices',
    namespaced: false,
    fields: ['spec.nodeName', 'spec.driver'],
    columns: [
      textColumn('Node', (slice) => stringAt(slice, 'spec', 'nodeName')),
      textColumn('Driver', (slice) => stringAt(slice, 'spec', 'driver')),
      textColumn('Pool', (slice) => stringAt(slice, 'spec', 'pool', 'name')),
    ],
  },
  { ...dra, kind: 'ResourceClaim', plural: 'resourceclaims', namespaced: true, status: true },
  { ...dra, kind: 'DeviceClass', plural: 'deviceclasses', namespaced: false },
];

/** CustomResourceDefinitions show the moment of their creation instead of their age. */
const crdListColumns: readonly Column[] = [
  NAME_COLUMN,
  { ...textColumn('Created At', (crd) => stringAt(crd, 'metadata', 'creationTimestamp')), type: 'date' },
];

/** The resources of the server itself. `now` is the wall clock, for what the server stamps. */
export function builtinTypes(
  taintRuleVersions: readonly TaintRuleVersion[],
  now: () => number,
): readonly ResourceType[] {
  const types = [...kinds.map(builtinType), ...taintRuleTypes(taintRuleVersions, now)];
  return types.map((type) => {
    if (type.plural === 'events') return { ...type, columns: eventColumns };
    return isCrdResource(type)
      ? { ...type, columns: crdListColumns, prepare: (crd) => establishCrd(crd, now()), check: checkCrd }
      : type;
  });
}

/** True for the resource whose objects declare resources. */
export function isCrdResource(type: Pick<ResourceType, 'group' | 'plural'>): boolean {
  return type.group === 'apiextensions.k8s.io' && type.plural === 'customresourcedefinitions';
}

/** True for Namespaces, which are not deleted all at once. */
export function isNamespaces(type: Pick<ResourceType, 'group' | 'plural'>): boolean {
  return type.group === '' && type.plural === 'namespaces';
}
