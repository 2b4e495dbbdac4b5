import { gadget, GADGETS } from '../gadget.ts';
import { MAPS, request, REQUESTS, resource, RESOURCES, type Scripts } from '../objects.ts';

/** The forms in which objects are answered. */
export const forms: Scripts = {
  tables: async (api) => {
    await api.post(RESOURCES, resource('table', {}, { labels: { suite: 'table' } }));
    await api.mergePatch(`${RESOURCES}/table/status`, { status: { state: 'Online', device_id: 'GPU-1' } });
    await api.table(`${RESOURCES}?labelSelector=suite%3Dtable`);
    await api.table(`${RESOURCES}/table`);
    await api.post(REQUESTS, request('table'));
    await api.table(`${REQUESTS}?fieldSelector=metadata.name%3Dtable`);
  },
  'tables of what a schema knows': async (api) => {
    const status = { conditions: [{ type: 'Ready', status: 'True' }], since: '2020-01-01T00:00:00Z' };
    await api.post(
      GADGETS,
      gadget('table-a', { fragile: true, parts: [{ name: 'x' }, { name: 'y' }] }, { labels: { t: 'y' } }),
    );
    await api.mergePatch(`${GADGETS}/table-a/status`, { status });
    await api.post(GADGETS, gadget('table-b', {}, { labels: { t: 'y' } }));
    await api.mergePatch(`${GADGETS}/table-b/status`, { status: { since: 'no time' } });
    const base = `${GADGETS}?labelSelector=t%3Dy`;
    await api.table(base);
    for (const include of ['None', 'Metadata', 'Object', 'Nonsense'])
      await api.table(`${base}&includeObject=${include}`);
    await api.table(`${base}&limit=1`);
    await api.table(`${GADGETS}/table-a?includeObject=Object`);
    await api.table(`${GADGETS}/nobody`);
    await api.table(`${GADGETS}?labelSelector=t%3Dnone`);
    await api.table(`${base}&watch=1&timeoutSeconds=1`);
    await api.table(`${base}&watch=1&timeoutSeconds=1&includeObject=None`);
  },
  'metadata alone': async (api) => {
    await api.post(GADGETS, gadget('partial', {}, { labels: { t: 'p' } }));
    const partial = (kind: string) => `application/json;as=${kind};v=v1;g=meta.k8s.io`;
    await api.get(`${GADGETS}/partial`, partial('PartialObjectMetadata'));
    await api.get(`${GADGETS}?labelSelector=t%3Dp`, partial('PartialObjectMetadataList'));
    await api.get(`${GADGETS}?labelSelector=t%3Dp`, partial('PartialObjectMetadata'));
    await api.get(`${GADGETS}?labelSelector=t%3Dp&watch=1&timeoutSeconds=1`, partial('PartialObjectMetadata'));
    await api.get(`${GADGETS}/partial`, partial('PartialObjectMetadataList'));
    await api.get('/api/v1/namespaces/default', partial('PartialObjectMetadata'));
  },
  'forms that are not made': async (api) => {
    const path = '/api/v1/namespaces/default';
    await api.get(path, 'text/plain');
    await api.get(path, 'application/xml');
    await api.get(path, 'application/json;as=Nonsense;v=v1;g=meta.k8s.io');
    await api.get(path, 'application/json;as=Table;v=v2;g=meta.k8s.io');
    await api.get(path, 'application/json;as=Nonsense;v=v1;g=meta.k8s.io,application/json');
    await api.get(path, 'text/html,*/*;q=0.8');
    await api.get(path, '');
    await api.get(`${GADGETS}/nobody`, 'text/plain');
    await api.get(RESOURCES, 'text/plain');
  },
  'tables of built-in kinds': async (api) => {
    await api.post(MAPS, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'tabled' },
      data: { a: '1', b: '2' },
    });
    await api.table(`${MAPS}?fieldSelector=metadata.name%3Dtabled`);
    await api.table('/api/v1/namespaces?fieldSelector=metadata.name%3Ddefault');
  },
};
