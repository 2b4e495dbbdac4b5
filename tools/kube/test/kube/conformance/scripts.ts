import type { Reply } from './exchange.ts';
import { FINALIZER, GROUP, request, REQUESTS, resource, RESOURCES, type Script } from './objects.ts';

interface Meta {
  readonly uid: string;
  readonly resourceVersion: string;
}

function metaOf({ json }: Reply): Meta {
  return (json as { readonly metadata: Meta }).metadata;
}

/** Scripts by what they are about. Each uses names of its own. */
export const SCRIPTS: Readonly<Record<string, Script>> = {
  'create, get, create again': async (api) => {
    await api.post(RESOURCES, resource('create'));
    await api.get(`${RESOURCES}/create`);
    await api.post(RESOURCES, resource('create'));
    await api.get(`${RESOURCES}/nobody`);
    await api.get(`${GROUP}/nothings/nobody`);
  },
  'a status in a create is dropped, and defaults come in': async (api) => {
    await api.post(REQUESTS, { ...request('defaults'), status: { state: 'Running' } });
    await api.get(`${REQUESTS}/defaults`);
  },
  'objects that are wrong': async (api) => {
    await api.post(RESOURCES, resource('wrong', { type: 'tpu' }));
    await api.post(RESOURCES, resource('wrong', { model: 3 }));
    await api.post(RESOURCES, { ...resource('wrong'), spec: { type: 'gpu' } });
    await api.post(RESOURCES, { ...resource('wrong'), spec: undefined });
    await api.post(REQUESTS, request('wrong', { size: -1 }));
    await api.post(REQUESTS, request('wrong', { allocation_policy: 'anywhere' }));
    await api.post(RESOURCES, resource('Wrong_name'));
    await api.post(RESOURCES, resource('wrong', {}, { labels: { 'a b': 'c' } }));
  },
  'unknown fields': async (api) => {
    await api.post(`${RESOURCES}?fieldValidation=Strict`, resource('unknown', { colour: 'red' }));
    await api.post(`${RESOURCES}?fieldValidation=Strict`, { ...resource('unknown'), extra: 1 });
    await api.post(RESOURCES, resource('unknown', { colour: 'red' }));
    await api.get(`${RESOURCES}/unknown`);
    const add = { op: 'add', path: '/status', value: { state: 'Attaching', colour: 'red' } };
    await api.jsonPatch(`${RESOURCES}/unknown/status?fieldValidation=Strict`, add);
    await api.mergePatch(`${RESOURCES}/unknown/status?fieldValidation=Strict`, { status: { colour: 'red' } });
    await api.jsonPatch(`${RESOURCES}/unknown/status`, add);
  },
  'JSON patches with tests': async (api) => {
    const { uid, resourceVersion } = metaOf(await api.post(RESOURCES, resource('tests')));
    const path = `${RESOURCES}/tests/status?fieldValidation=Strict`;
    const add = { op: 'add', path: '/status', value: { state: 'Attaching' } };
    const sameUid = { op: 'test', path: '/metadata/uid', value: uid };
    await api.jsonPatch(path, { op: 'test', path: '/metadata/uid', value: 'another' }, add);
    await api.jsonPatch(path, { op: 'test', path: '/status/operation/id', value: 'x' }, add);
    await api.jsonPatch(path, sameUid, { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion }, add);
    await api.jsonPatch(path, sameUid, { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion }, add);
    await api.jsonPatch(path, sameUid, add);
    await api.jsonPatch(`${RESOURCES}/nobody`, sameUid, { op: 'remove', path: '/metadata/finalizers/0' });
    await api.jsonPatch(`${RESOURCES}/tests`, { op: 'remove', path: '/metadata/finalizers/0' });
    await api.jsonPatch(`${RESOURCES}/tests`, { op: 'replace', path: '/spec/nothing', value: 1 });
    await api.jsonPatch(`${RESOURCES}/tests`, { op: 'replace', path: '/metadata/name', value: 'other' });
    await api.jsonPatch(`${RESOURCES}/tests`, { op: 'replace', path: '/metadata/uid', value: 'other' });
    await api.jsonPatch(`${RESOURCES}/tests`, { op: 'nonsense', path: '/spec' });
  },
  'the status subresource': async (api) => {
    await api.post(RESOURCES, resource('status'));
    await api.mergePatch(`${RESOURCES}/status`, { status: { state: 'Online' } });
    await api.mergePatch(`${RESOURCES}/status/status`, { status: { state: 'Online' }, spec: { model: 'B' } });
    await api.mergePatch(`${RESOURCES}/status/status`, { metadata: { labels: { a: 'b' }, finalizers: [FINALIZER] } });
    await api.mergePatch(`${RESOURCES}/status/status`, { status: { state: 7 } });
    await api.mergePatch(`${RESOURCES}/status`, { spec: { model: 'B' } });
    await api.mergePatch(`${RESOURCES}/status`, { spec: { model: 'B' } });
    await api.get(`${RESOURCES}/status/status`);
  },
  replacing: async (api) => {
    const first = await api.post(RESOURCES, resource('replace'));
    const { resourceVersion } = metaOf(first);
    await api.put(`${RESOURCES}/replace`, resource('replace', { model: 'B' }, { resourceVersion }));
    await api.put(`${RESOURCES}/replace`, resource('replace', { model: 'C' }, { resourceVersion }));
    await api.put(`${RESOURCES}/replace`, resource('replace', { model: 'D' }));
    await api.put(`${RESOURCES}/other`, resource('replace'));
    await api.put(`${RESOURCES}/nobody`, resource('nobody'));
  },
  'deleting, with preconditions and finalizers': async (api) => {
    const { uid, resourceVersion } = metaOf(
      await api.post(RESOURCES, resource('delete', {}, { finalizers: [FINALIZER] })),
    );
    const path = `${RESOURCES}/delete`;
    await api.delete(path, { preconditions: { uid: '00000000-0000-4000-8000-000000000000' } });
    await api.delete(path, { preconditions: { uid, resourceVersion: '1' } });
    await api.delete(path, { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid, resourceVersion } });
    await api.delete(path, { preconditions: { uid } });
    await api.mergePatch(path, { metadata: { finalizers: [FINALIZER, 'example.com/another'] } });
    await api.mergePatch(path, { spec: { model: 'B' } });
    const removal = { op: 'remove', path: '/metadata/finalizers/0' };
    await api.jsonPatch(path, { op: 'test', path: '/metadata/finalizers/0', value: FINALIZER }, removal);
    await api.get(path);
    await api.jsonPatch(path, { op: 'test', path: '/metadata/finalizers/0', value: FINALIZER }, removal);
    await api.delete(path);
  },
  'deleting at once': async (api) => {
    await api.post(RESOURCES, resource('gone'));
    await api.delete(`${RESOURCES}/gone`, { propagationPolicy: 'Background' });
    await api.delete(`${RESOURCES}/gone`);
    await api.post(RESOURCES, resource('gone'));
    await api.delete(`${RESOURCES}/gone`, { propagationPolicy: 'Sideways' });
  },
  listing: async (api) => {
    for (const name of ['list-a', 'list-b', 'list-c']) {
      await api.post(RESOURCES, resource(name, {}, { labels: { suite: 'list' } }));
    }
    await api.get(`${RESOURCES}?labelSelector=suite%3Dlist`);
    const page = await api.get(`${RESOURCES}?labelSelector=suite%3Dlist&limit=2`);
    const { continue: token = '' } = (page.json as { readonly metadata: { readonly continue?: string } }).metadata;
    await api.get(`${RESOURCES}?labelSelector=suite%3Dlist&limit=2&continue=${encodeURIComponent(token)}`);
    await api.get(`${RESOURCES}?fieldSelector=metadata.name%3Dlist-b`);
    await api.get(`${RESOURCES}?fieldSelector=spec.model%3DA`);
  },
  watching: async (api) => {
    const { resourceVersion } = metaOf(await api.post(RESOURCES, resource('watch', {}, { finalizers: [FINALIZER] })));
    await api.mergePatch(`${RESOURCES}/watch/status`, { status: { state: 'Online' } });
    await api.delete(`${RESOURCES}/watch`);
    await api.mergePatch(`${RESOURCES}/watch`, { metadata: { finalizers: [] } });
    const query = `watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dwatch`;
    await api.get(`${RESOURCES}?${query}&resourceVersion=${resourceVersion}`);
    await api.get(`${RESOURCES}?${query}&resourceVersion=1`);
    await api.get(`${RESOURCES}?${query}&allowWatchBookmarks=true&resourceVersion=${resourceVersion}`);
    const longer = query.replace('timeoutSeconds=1', 'timeoutSeconds=3');
    await api.get(`${RESOURCES}?${longer}&allowWatchBookmarks=true&resourceVersion=${resourceVersion}`);
  },
  leases: async (api) => {
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    const spec = {
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.123000Z',
      renewTime: '2026-01-01T00:00:00.123000Z',
      leaseTransitions: 0,
    };
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'lead' }, spec };
    const { resourceVersion } = metaOf(await api.post(leases, lease));
    const metadata = { name: 'lead', resourceVersion };
    await api.put(`${leases}/lead`, { ...lease, metadata, spec: { ...spec, holderIdentity: '' } });
    await api.put(`${leases}/lead`, { ...lease, metadata });
    await api.put(`${leases}/lead`, { ...lease, spec: { ...spec, leaseDurationSeconds: 0 } });
    await api.post(leases, { ...lease, metadata: { name: 'bad' }, spec: { ...spec, renewTime: 'now' } });
    await api.post(leases, {
      ...lease,
      metadata: { name: 'bad' },
      spec: { ...spec, renewTime: '2026-01-01T00:00:00.123Z' },
    });
    await api.delete(`${leases}/lead`);
  },
  events: async (api) => {
    const events = '/api/v1/namespaces/default/events';
    const involvedObject = {
      apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1',
      kind: 'ComposableResource',
      name: 'x',
      uid: 'u',
    };
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'x.1', namespace: 'default' },
      involvedObject,
      type: 'Normal',
      reason: 'Attached',
      message: 'it is there',
      source: { component: 'c' },
      reportingComponent: 'c',
      reportingInstance: 'i',
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:00Z',
      count: 1,
    };
    await api.post(events, event);
    await api.mergePatch(`${events}/x.1`, { count: 2, lastTimestamp: '2026-01-01T00:00:05Z' });
    await api.post('/api/v1/namespaces/kube-public/events', {
      ...event,
      metadata: { name: 'x.2', namespace: 'kube-public' },
    });
    await api.post(events, { ...event, metadata: { name: 'x.3', namespace: 'other' } });
    await api.delete(`${events}/x.1`);
  },
  'config maps and secrets': async (api) => {
    const maps = '/api/v1/namespaces/default/configmaps';
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'map' }, data: { a: '1' } };
    const { resourceVersion } = metaOf(await api.post(maps, map));
    await api.put(`${maps}/map`, { ...map, metadata: { name: 'map', resourceVersion }, data: { a: '2' } });
    await api.put(`${maps}/map`, { ...map, metadata: { name: 'map', resourceVersion }, data: { a: '3' } });
    await api.post(maps, map);
    await api.post(maps, { ...map, metadata: { name: 'bad' }, data: { a: 1 } });
    await api.post(maps, { ...map, metadata: { name: 'bad' }, data: { 'a b': '1' } });
    await api.post('/api/v1/namespaces/nowhere/configmaps', map);
    await api.delete(`${maps}/map`);
    const secrets = '/api/v1/namespaces/default/secrets';
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'secret' }, stringData: { a: 'b' } };
    await api.post(secrets, secret);
    await api.mergePatch(`${secrets}/secret`, { data: { b: 'Yw==' } });
    await api.delete(`${secrets}/secret`);
  },
  'updates that are wrong': async (api) => {
    await api.post(RESOURCES, resource('update'));
    const path = `${RESOURCES}/update`;
    await api.mergePatch(path, { spec: { model: 3 } });
    await api.mergePatch(path, { spec: { type: 'tpu' } });
    await api.mergePatch(path, { spec: null });
    await api.mergePatch(path, { spec: { model: null } });
    await api.mergePatch(`${path}/status`, { status: { state: 'Online', fabric: { provider: 1, machine: 'm' } } });
    await api.mergePatch(`${path}/status`, { status: 'text' });
  },
  'lists of built-in kinds': async (api) => {
    const maps = '/api/v1/namespaces/kube-public/configmaps';
    await api.post(maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' }, data: { a: '1' } });
    await api.get(`${maps}?fieldSelector=metadata.name%3Done`);
    await api.get('/apis/coordination.k8s.io/v1/namespaces/kube-public/leases');
    await api.table(`${maps}?fieldSelector=metadata.name%3Done`);
    await api.get('/api/v1/namespaces/kube-public/nothings');
  },
  tables: async (api) => {
    await api.post(RESOURCES, resource('table', {}, { labels: { suite: 'table' } }));
    await api.mergePatch(`${RESOURCES}/table/status`, { status: { state: 'Online', device_id: 'GPU-1' } });
    await api.table(`${RESOURCES}?labelSelector=suite%3Dtable`);
    await api.table(`${RESOURCES}/table`);
    await api.post(REQUESTS, request('table'));
    await api.table(`${REQUESTS}?fieldSelector=metadata.name%3Dtable`);
  },
  'resource slices': async (api) => {
    const slices = '/apis/resource.k8s.io/v1/resourceslices';
    const devices = [
      { name: 'gpu-0', attributes: { uuid: { string: 'GPU-1' }, driverVersion: { version: '580.0.0' } } },
    ];
    const slice = (generation: number, resourceVersion?: string) => ({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: { name: 'slice', ...(resourceVersion !== undefined && { resourceVersion }) },
      spec: {
        driver: 'gpu.nvidia.com',
        nodeName: 'worker-0',
        pool: { name: 'worker-0', generation, resourceSliceCount: 1 },
        devices,
      },
    });
    const { resourceVersion } = metaOf(await api.post(slices, slice(1)));
    await api.put(`${slices}/slice`, slice(2, resourceVersion));
    await api.put(`${slices}/slice`, slice(3, resourceVersion));
    await api.get(`${slices}?fieldSelector=spec.nodeName%3Dworker-0`);
    await api.delete(`${slices}/slice`);
  },
  'webhook configurations': async (api) => {
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    const webhook = {
      name: 'a.example.com',
      admissionReviewVersions: ['v1'],
      clientConfig: { url: 'https://127.0.0.1:1/validate' },
      rules: [{ apiGroups: ['x'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['ys'], scope: 'Cluster' }],
      failurePolicy: 'Fail',
      sideEffects: 'None',
      matchConditions: [{ name: 'one', expression: '!has(object.metadata.deletionTimestamp)' }],
    };
    const configuration = (changes: object, metadata: object = {}) => ({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'hooks', ...metadata },
      webhooks: [{ ...webhook, ...changes }],
    });
    await api.post(path, configuration({ clientConfig: { url: 'http://127.0.0.1:1/validate' } }));
    await api.post(path, configuration({}));
    const operation = { op: 'add', path: '/webhooks/0/clientConfig/caBundle', value: 'bm90IGEgY2VydGlmaWNhdGU=' };
    await api.jsonPatch(`${path}/hooks`, operation);
    await api.delete(`${path}/hooks`);
  },
};
