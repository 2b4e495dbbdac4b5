import { gadget, GADGETS } from '../gadget.ts';
import { configMap, FINALIZER, MAPS, metaOf, resource, RESOURCES, type Scripts } from '../objects.ts';

/** PUT, and what an update may change. */
export const updating: Scripts = {
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
  generations: async (api) => {
    await api.post(GADGETS, gadget('generation'));
    const path = `${GADGETS}/generation`;
    await api.mergePatch(path, { spec: { size: 2 } });
    await api.mergePatch(path, { metadata: { labels: { a: 'b' } } });
    await api.mergePatch(path, { status: { count: 1 } });
    await api.mergePatch(`${path}/status`, { status: { count: 1 } });
    await api.mergePatch(path, { spec: { size: 2 } });
    await api.mergePatch(path, { metadata: { generation: 99 } });
    await api.mergePatch(path, { metadata: { creationTimestamp: '2020-01-01T00:00:00Z', deletionTimestamp: null } });
    await api.mergePatch(path, { metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' } });
    await api.get(path);
  },
  'replacing what is of another kind, name or namespace': async (api) => {
    const { resourceVersion } = metaOf(await api.post(GADGETS, gadget('other')));
    const metadata = { resourceVersion };
    const path = `${GADGETS}/other`;
    await api.put(path, { ...gadget('other', {}, metadata), kind: 'Gizmo' });
    await api.put(path, { ...gadget('other', {}, metadata), kind: undefined });
    await api.put(path, gadget('other', {}, { ...metadata, namespace: 'kube-system' }));
    await api.put(path, gadget('other', {}, { ...metadata, uid: '00000000-0000-4000-8000-000000000000' }));
    await api.put(path, gadget('other', {}, { resourceVersion: 'x' }));
    await api.put(path, gadget('other', {}, { resourceVersion: '0' }));
    await api.put(path, gadget('', {}, metadata));
    await api.put(`${path}/status`, { ...gadget('other', { size: 9 }, metadata), status: { count: 4 } });
    await api.put(`${path}/status`, { ...gadget('other', {}, metadata), status: { count: 5 } });
    await api.put(`${path}/scale`, gadget('other'));
    await api.put(`${MAPS}/nobody`, configMap('nobody'));
  },
};
