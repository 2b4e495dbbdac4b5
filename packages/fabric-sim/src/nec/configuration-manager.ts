import { Type } from 'typebox';
import type { Call, Protocol } from '../core/call.ts';
import { decodeSegment } from '../core/decode.ts';
import type { Reply, SimRequest } from '../core/http.ts';
import { readJson } from '../core/read-json.ts';
import { effectsOf } from '../faults/effect.ts';
import type { NecContext } from './context.ts';
import { managerError } from './errors.ts';
import { DEFAULT_GROUP } from './marks.ts';
import { allResources, resourceById, type ResourceBody } from './resource-bodies.ts';

const ROOT = '/cdim/api/v1';
const GROUP = new RegExp(`^${ROOT}/resource-groups/([^/]+)$`);
const RESOURCE = new RegExp(`^${ROOT}/resources/([^/]+)(/annotation|/resource-groups)?$`);
const NODE = new RegExp(`^${ROOT}/nodes/([^/]+)$`);

const BOOLEAN = /^(?:true|false)$/i;
const MADE_AT = '2025-01-01T00:00:00Z';

const Annotation = Type.Object({ available: Type.Boolean() });
const Groups = Type.Array(Type.String(), { minItems: 1 });

/** The service that knows what there is (configuration-manager 0.1.1). What it knows is a copy: see `View`. */
export function createConfigurationManager(context: NecContext): Protocol {
  return {
    route(request, url) {
      if (request.method === 'GET') return routeGet(context, url);
      const id = decodeSegment(RESOURCE.exec(url.pathname)?.[1] ?? '');
      const tail = RESOURCE.exec(url.pathname)?.[2];
      if (request.method !== 'PUT' || id === undefined || tail === undefined) return undefined;
      return { kind: 'other', perform: () => mark(context, request, id, tail) };
    },
  };
}

function routeGet(context: NecContext, url: URL): Call | undefined {
  const groups = url.searchParams.getAll('resourceGroupID');
  switch (url.pathname) {
    case `${ROOT}/resources`:
      return { kind: 'list', perform: () => listResources(context, url.searchParams.get('detail')) };
    case `${ROOT}/resources/available`:
      return { kind: 'inventory', perform: () => enveloped(available(context, groups)) };
    case `${ROOT}/resources/unused`:
      return {
        kind: 'inventory',
        perform: (effects) => unused(context, groups, effectsOf(effects, 'exhausted').length > 0),
      };
    case `${ROOT}/resource-groups`:
      return { kind: 'get', perform: () => listGroups(context, url.searchParams.get('withResources')) };
    case `${ROOT}/nodes`:
      return { kind: 'list', perform: () => listNodes(context) };
    default:
      return routeOne(context, url);
  }
}

function routeOne(context: NecContext, url: URL): Call | undefined {
  const group = decodeSegment(GROUP.exec(url.pathname)?.[1] ?? '');
  if (group !== undefined && group !== '') return { kind: 'get', perform: () => oneGroup(context, group) };
  const id = RESOURCE.exec(url.pathname)?.[1] ?? NODE.exec(url.pathname)?.[1];
  const named = id === undefined ? undefined : decodeSegment(id);
  if (named === undefined || RESOURCE.exec(url.pathname)?.[2] !== undefined) return undefined;
  const machine = context.pool.machine(named) === undefined ? {} : { machine: named };
  const perform = (): Reply => {
    if (NODE.test(url.pathname)) return oneNode(context, named);
    const resource = resourceById(context, named);
    return resource === undefined ? managerError(404, 'No search results') : json(resource);
  };
  return { kind: 'get', ...machine, perform };
}

/** `detail` is true or false in any case; an empty one is refused, whatever the documentation says. */
function listResources(context: NecContext, detail: string | null): Reply {
  if (detail !== null && !BOOLEAN.test(detail)) return managerError(400, 'getBoolQueryParam error');
  const all = allResources(context);
  if (detail?.toLowerCase() === 'true') return enveloped(all);
  return enveloped(all.map(({ device, ...rest }) => ({ device: summary(device), ...rest })));
}

function summary({ deviceID, type, status }: ResourceBody['device']) {
  return { deviceID, type, status };
}

/** Detected, enabled, healthy and not under maintenance; in use or not. */
function available(context: NecContext, groups: readonly string[]): readonly ResourceBody[] {
  const all = allResources(context).filter(({ device, annotation, detected, resourceGroupIDs }) => {
    const works = JSON.stringify(device['status']) === JSON.stringify({ state: 'Enabled', health: 'OK' });
    const fits = groups.length === 0 || resourceGroupIDs.some((group) => groups.includes(group));
    return works && annotation.available && detected && fits;
  });
  return [...all].sort((a, b) => {
    const [left, right] = [a, b].map(({ device }) => `${device.type} ${device.deviceID}`);
    return (left ?? '') < (right ?? '') ? -1 : 1;
  });
}

/** The same, without links; two properties are missing in this answer, as in the real one. */
function unused(context: NecContext, groups: readonly string[], exhausted: boolean): Reply {
  const free = exhausted ? [] : available(context, groups).filter(({ device }) => isUnlinked(device));
  return enveloped(free.map(({ device, annotation, resourceGroupIDs }) => ({ device, annotation, resourceGroupIDs })));
}

function isUnlinked(device: ResourceBody['device']): boolean {
  const { links } = device;
  return Array.isArray(links) && links.length === 0;
}

function listGroups(context: NecContext, withResources: string | null): Reply {
  if (withResources !== null && !BOOLEAN.test(withResources)) return managerError(400, 'getBoolQueryParam error');
  const isFull = withResources?.toLowerCase() === 'true';
  const resourceGroups = context.marks.allGroups().map((id) => groupBody(context, id, isFull));
  return json({ count: resourceGroups.length, resourceGroups });
}

function oneGroup(context: NecContext, id: string): Reply {
  if (!context.marks.allGroups().includes(id)) return managerError(404, 'No search results');
  return json(groupBody(context, id, true));
}

function groupBody(context: NecContext, id: string, isFull: boolean) {
  const name = id === DEFAULT_GROUP ? 'default' : id;
  const group = { id, name, description: `${name} group`, createdAt: MADE_AT, updatedAt: MADE_AT };
  if (!isFull) return group;
  return { ...group, resources: allResources(context).filter(({ resourceGroupIDs }) => resourceGroupIDs.includes(id)) };
}

/** Nodes with what is in them: a summary of each device, whatever the query says. */
function listNodes(context: NecContext): Reply {
  const nodes = context.pool.machines().flatMap(({ machUuid }) => {
    // A CPU without a link makes no node.
    if (context.view.on(machUuid).length === 0) return [];
    const resources = inNode(context, machUuid).map(({ device, ...rest }) => ({ device: summary(device), ...rest }));
    return [{ id: machUuid, resources }];
  });
  return json({ count: nodes.length, nodes });
}

function oneNode(context: NecContext, id: string): Reply {
  if (context.view.on(id).length === 0) return managerError(404, 'No search results');
  return json({ id, resources: inNode(context, id) });
}

function inNode(context: NecContext, id: string) {
  return allResources(context)
    .filter(({ nodeIDs }) => nodeIDs.includes(id))
    .map(({ device, annotation, resourceGroupIDs, detected }) => ({ device, annotation, resourceGroupIDs, detected }));
}

function mark({ marks, pool }: NecContext, request: SimRequest, id: string, tail: string): Reply {
  if (pool.device(id) === undefined && pool.machine(id) === undefined) {
    return managerError(404, 'The target resource for update did not exist');
  }
  if (tail === '/annotation') {
    const body = readJson(Annotation, request.body ?? '', 'body');
    if (body.tag === 'failed') return managerError(400, 'BindJson error');
    marks.setAvailable(id, body.value.available);
    return json(body.value);
  }
  const body = readJson(Groups, request.body ?? '', 'body');
  if (body.tag === 'failed') return managerError(400, 'BindJson error');
  if (body.value.length > 1) return managerError(400, 'multiple groups specified error');
  if (!body.value.every((group) => marks.allGroups().includes(group))) {
    return managerError(400, 'The target group for update did not exist');
  }
  marks.setGroups(id, body.value);
  return json({ count: 1, resourceGroupIDs: body.value });
}

function enveloped(resources: readonly unknown[]): Reply {
  return json({ count: resources.length, resources });
}

function json(body: unknown): Reply {
  return { tag: 'json', status: 200, body };
}
