import { gadget, GADGETS } from '../gadget.ts';
import { configMap, FINALIZER, MAPS, metaOf, resource, RESOURCES, type Scripts } from '../objects.ts';

/** DELETE: preconditions, finalizers, propagation. */
export const deleting: Scripts = {
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
  'how dependents go': async (api) => {
    for (const propagationPolicy of ['Foreground', 'Orphan', 'Background']) {
      const path = `${GADGETS}/${propagationPolicy.toLowerCase()}`;
      await api.post(GADGETS, gadget(propagationPolicy.toLowerCase(), {}, { finalizers: ['a.example.com/x'] }));
      await api.delete(path, { propagationPolicy });
      await api.mergePatch(path, { metadata: { finalizers: null } });
    }
    await api.post(GADGETS, gadget('query', {}, { finalizers: ['a.example.com/x'] }));
    await api.delete(`${GADGETS}/query?propagationPolicy=Foreground`);
    await api.delete(`${GADGETS}/query?propagationPolicy=Background`);
    await api.mergePatch(`${GADGETS}/query`, { metadata: { finalizers: null } });
    await api.post(GADGETS, gadget('both'));
    await api.delete(`${GADGETS}/both`, { propagationPolicy: 'Background', orphanDependents: true });
    await api.delete(`${GADGETS}/both`, { gracePeriodSeconds: -1 });
    await api.delete(`${GADGETS}/both`, { gracePeriodSeconds: 0, preconditions: {} });
  },
  'deleting a collection': async (api) => {
    for (const name of ['many-a', 'many-b']) {
      await api.post(GADGETS, gadget(name, {}, { labels: { many: 'yes' } }));
      await api.post(MAPS, configMap(name, {}, { labels: { many: 'yes' } }));
    }
    await api.post(GADGETS, gadget('many-c', {}, { labels: { many: 'yes' }, finalizers: ['a.example.com/x'] }));
    await api.delete(`${GADGETS}?labelSelector=many%3Dno`);
    await api.delete(`${GADGETS}?labelSelector=many%3Dyes`);
    await api.delete(`${MAPS}?labelSelector=many%3Dyes`);
    await api.get(`${GADGETS}?labelSelector=many%3Dyes`);
    await api.mergePatch(`${GADGETS}/many-c`, { metadata: { finalizers: [] } });
    await api.get(`${MAPS}?labelSelector=many%3Dyes`);
  },
  'objects that are being deleted': async (api) => {
    await api.post(GADGETS, gadget('dying', {}, { finalizers: ['a.example.com/x', 'a.example.com/y'] }));
    const path = `${GADGETS}/dying`;
    await api.delete(path);
    await api.delete(path);
    await api.post(GADGETS, gadget('dying'));
    await api.mergePatch(`${path}/status`, { status: { count: 1 } });
    await api.mergePatch(path, { metadata: { finalizers: ['a.example.com/y', 'a.example.com/z'] } });
    await api.mergePatch(path, { metadata: { deletionTimestamp: null } });
    await api.mergePatch(path, {
      metadata: { finalizers: ['a.example.com/y'], labels: { a: 'b' } },
      spec: { size: 5 },
    });
    await api.mergePatch(path, { metadata: { finalizers: null }, spec: { size: 6 } });
    await api.get(path);
  },
};
