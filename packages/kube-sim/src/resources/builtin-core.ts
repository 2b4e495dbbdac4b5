import { isObject, type JsonObject, listAt, numberAt, objectAt, stringAt, without } from '../base/json.ts';
import {
  checkDataKeys,
  checkEvent,
  undecodableConfigMap,
  undecodableEvent,
  undecodableSecret,
} from './builtin-checks.ts';
import { configMapSchema, eventSchema, secretSchema } from './builtin-schemas.ts';
import { type BuiltinKind, nameOf } from './builtin-type.ts';
import { textColumn } from './columns.ts';
import { age } from './duration.ts';
import { prepareNode } from './node.ts';

const core = { group: '', version: 'v1' } as const;

function dataCount(object: JsonObject): number {
  return Object.keys(objectAt(object, 'data')).length + Object.keys(objectAt(object, 'binaryData')).length;
}

/** Moves `stringData` into `data`, as base64. */
function encodeSecret(object: JsonObject): JsonObject {
  const { stringData, ...rest } = object;
  const encoded: Record<string, string> = {};
  if (isObject(stringData)) {
    for (const [key, text] of Object.entries(stringData)) {
      if (typeof text === 'string') encoded[key] = Buffer.from(text, 'utf8').toString('base64');
    }
  }
  return { type: 'Opaque', ...rest, data: { ...objectAt(object, 'data'), ...encoded } };
}

/** Go leaves empty maps out. */
function withoutEmptyData(map: JsonObject): JsonObject {
  const empty = ['data', 'binaryData'].filter((field) => Object.keys(objectAt(map, field)).length === 0);
  return without(map, ...empty);
}

function prepareNamespace(object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata');
  const labels = { ...objectAt(metadata, 'labels'), 'kubernetes.io/metadata.name': nameOf(object) };
  return {
    ...object,
    metadata: { ...metadata, labels },
    spec: { finalizers: ['kubernetes'], ...objectAt(object, 'spec') },
    status: { phase: 'Active', ...objectAt(object, 'status') },
  };
}

function nodeStatus(node: JsonObject): string {
  const conditions = listAt(node, 'status', 'conditions').filter(isObject);
  const ready = conditions.find((condition) => condition['type'] === 'Ready');
  const state = ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady';
  return objectAt(node, 'spec')['unschedulable'] === true ? `${state},SchedulingDisabled` : state;
}

function nodeRoles(node: JsonObject): string {
  const prefix = 'node-role.kubernetes.io/';
  const labels = Object.keys(objectAt(node, 'metadata', 'labels')).filter((label) => label.startsWith(prefix));
  return labels.map((label) => label.slice(prefix.length)).join(',') || '<none>';
}

function readyContainers(pod: JsonObject): string {
  const statuses = listAt(pod, 'status', 'containerStatuses').filter(isObject);
  const ready = statuses.filter((status) => status['ready'] === true).length;
  return `${String(ready)}/${String(listAt(pod, 'spec', 'containers').length)}`;
}

function restarts(pod: JsonObject): string {
  const counts = listAt(pod, 'status', 'containerStatuses').map((status) => numberAt(status, 'restartCount') ?? 0);
  return String(counts.reduce((sum, count) => sum + count, 0));
}

/** What Go writes of an Event even where it is empty. */
const ALWAYS_IN_EVENT: JsonObject = {
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: '',
  reportingInstance: '',
};

const POD_FIELDS = ['spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName', 'spec.serviceAccountName'];

const EVENT_FIELDS = [
  ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(
    (name) => `involvedObject.${name}`,
  ),
  ...['reason', 'reportingComponent', 'type'],
];

/** Kinds of the core group. */
export const coreKinds: readonly BuiltinKind[] = [
  {
    ...core,
    kind: 'Namespace',
    plural: 'namespaces',
    namespaced: false,
    status: true,
    shortNames: ['ns'],
    fields: ['status.phase'],
    columns: [textColumn('Status', (object) => stringAt(object, 'status', 'phase'))],
    prepare: prepareNamespace,
  },
  {
    ...core,
    kind: 'Node',
    plural: 'nodes',
    namespaced: false,
    status: true,
    shortNames: ['no'],
    fields: ['spec.unschedulable'],
    prepare: prepareNode,
    columns: [
      textColumn('Status', nodeStatus),
      textColumn('Roles', nodeRoles),
      textColumn('Version', (node) => stringAt(node, 'status', 'nodeInfo', 'kubeletVersion')),
    ],
  },
  {
    ...core,
    kind: 'Pod',
    plural: 'pods',
    namespaced: true,
    status: true,
    shortNames: ['po'],
    categories: ['all'],
    fields: [...POD_FIELDS, 'spec.hostNetwork', 'status.phase', 'status.podIP', 'status.nominatedNodeName'],
    columns: [
      textColumn('Ready', readyContainers),
      textColumn('Status', (pod) => stringAt(pod, 'status', 'phase')),
      textColumn('Restarts', restarts),
      textColumn('Node', (pod) => stringAt(pod, 'spec', 'nodeName') ?? '<none>', 1),
    ],
    prepare: (pod) => ({ ...pod, status: { phase: 'Pending', ...objectAt(pod, 'status') } }),
  },
  {
    ...core,
    kind: 'Secret',
    plural: 'secrets',
    namespaced: true,
    fields: ['type'],
    columns: [textColumn('Type', (secret) => stringAt(secret, 'type')), textColumn('Data', dataCount)],
    schema: secretSchema,
    undecodable: undecodableSecret,
    prepare: encodeSecret,
    check: checkDataKeys,
  },
  {
    ...core,
    kind: 'ConfigMap',
    plural: 'configmaps',
    namespaced: true,
    shortNames: ['cm'],
    columns: [textColumn('Data', dataCount)],
    schema: configMapSchema,
    undecodable: undecodableConfigMap,
    prepare: withoutEmptyData,
    check: checkDataKeys,
  },
  {
    ...core,
    kind: 'Service',
    plural: 'services',
    namespaced: true,
    status: true,
    shortNames: ['svc'],
    categories: ['all'],
    columns: [
      textColumn('Type', (service) => stringAt(service, 'spec', 'type') ?? 'ClusterIP'),
      textColumn('Cluster-IP', (service) => stringAt(service, 'spec', 'clusterIP') ?? '<none>'),
    ],
  },
  { ...core, kind: 'ServiceAccount', plural: 'serviceaccounts', namespaced: true, shortNames: ['sa'] },
  {
    ...core,
    kind: 'Event',
    plural: 'events',
    namespaced: true,
    shortNames: ['ev'],
    fields: EVENT_FIELDS,
    moreFields: new Map([
      ['source', (event) => stringAt(event, 'source', 'component') ?? stringAt(event, 'reportingComponent') ?? ''],
    ]),
    schema: eventSchema,
    undecodable: undecodableEvent,
    prepare: (event) => ({ ...ALWAYS_IN_EVENT, ...event }),
    check: checkEvent,
  },
];

/** Events print their own columns: the age of the last occurrence comes first. */
export const eventColumns = [
  { ...textColumn('Last Seen', () => ''), cell: (event: JsonObject, now: number) => age(lastSeen(event), now) },
  textColumn('Type', (event) => stringAt(event, 'type')),
  textColumn('Reason', (event) => stringAt(event, 'reason')),
  textColumn(
    'Object',
    (event) =>
      `${(stringAt(event, 'involvedObject', 'kind') ?? '').toLowerCase()}/${stringAt(event, 'involvedObject', 'name') ?? ''}`,
  ),
  textColumn('Message', (event) => stringAt(event, 'message')?.trim()),
];

function lastSeen(event: JsonObject): string | undefined {
  return (
    stringAt(event, 'series', 'lastObservedTime') ?? stringAt(event, 'lastTimestamp') ?? stringAt(event, 'eventTime')
  );
}
