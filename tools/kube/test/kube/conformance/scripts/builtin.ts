import { metaOf, type Scripts } from '../objects.ts';

/** Kinds that are built in: what is filled in, and what is refused. */
export const builtin: Scripts = {
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
  'events of events.k8s.io, and series': async (api) => {
    const events = '/api/v1/namespaces/default/events';
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'series.1', namespace: 'default' },
      involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', namespace: 'default', uid: 'u' },
      type: 'Normal',
      reason: 'Attached',
      action: 'Attach',
      message: 'it is there',
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingComponent: 'c',
      reportingInstance: 'i',
    };
    await api.post(events, event);
    await api.post(events, { ...event, metadata: { name: 'series.2', namespace: 'default' }, action: '' });
    await api.post(events, { ...event, metadata: { name: 'series.3', namespace: 'default' }, reportingComponent: '' });
    await api.post(events, { ...event, metadata: { name: 'series.4', namespace: 'default' }, eventTime: 'now' });
    const series = { count: 2, lastObservedTime: '2026-01-01T00:00:05.000000Z' };
    await api.mergePatch(`${events}/series.1`, { series });
    await api.mergePatch(`${events}/series.1`, { series: { ...series, count: 3 } });
    await api.get(`${events}?fieldSelector=involvedObject.uid%3Du,reason%3DAttached`);
  },
};
