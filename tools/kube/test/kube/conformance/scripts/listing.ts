import { gadget, GADGETS } from '../gadget.ts';
import { MAPS, metaOf, resource, RESOURCES, textAt, type Scripts } from '../objects.ts';

/** GET of collections: selectors, pages, versions. */
export const listing: Scripts = {
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
  'lists of built-in kinds': async (api) => {
    const maps = '/api/v1/namespaces/kube-public/configmaps';
    await api.post(maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' }, data: { a: '1' } });
    await api.get(`${maps}?fieldSelector=metadata.name%3Done`);
    await api.get('/apis/coordination.k8s.io/v1/namespaces/kube-public/leases');
    await api.table(`${maps}?fieldSelector=metadata.name%3Done`);
    await api.get('/api/v1/namespaces/kube-public/nothings');
  },
  'label selectors': async (api) => {
    await api.post(GADGETS, gadget('labels-a', {}, { labels: { pick: 'a', only: '' } }));
    await api.post(GADGETS, gadget('labels-b', {}, { labels: { pick: 'b' } }));
    const good = [
      'pick=a',
      'pick==b',
      'pick!=a,pick',
      'pick in (a,b)',
      'pick notin (a),pick',
      '!pick,only',
      'only',
      'only=',
    ];
    for (const text of good) await api.get(`${GADGETS}?labelSelector=${encodeURIComponent(text)}`);
  },
  'field selectors': async (api) => {
    await api.post(GADGETS, gadget('fields-a', { colour: 'blue' }, { labels: { suite: 'fields' } }));
    await api.post(GADGETS, gadget('fields-b', { colour: 'red' }, { labels: { suite: 'fields' } }));
    const texts = [
      'spec.colour=blue',
      'spec.colour!=blue',
      'metadata.name=fields-a,metadata.namespace=default',
      'metadata.name!=fields-a,spec.colour==red',
      'spec.size=1',
      'metadata.uid=x',
      'nonsense',
      'a>b',
    ];
    for (const text of texts) {
      await api.get(`${GADGETS}?labelSelector=suite%3Dfields&fieldSelector=${encodeURIComponent(text)}`);
    }
    await api.get(`${MAPS}?fieldSelector=data.a%3D1`);
    await api.get('/api/v1/nodes?fieldSelector=spec.nodeName%3D1');
    await api.get('/api/v1/events?fieldSelector=involvedObject.name%3Dnobody,type%3DNormal');
  },
  pages: async (api) => {
    const base = `${GADGETS}?labelSelector=suite%3Dpages`;
    for (const name of ['p-a', 'p-b', 'p-c', 'p-d']) {
      await api.post(GADGETS, gadget(name, {}, { labels: { suite: 'pages' } }));
    }
    const first = await api.get(`${base}&limit=2`);
    const token = encodeURIComponent(textAt(first.json, 'metadata', 'continue'));
    await api.delete(`${GADGETS}/p-c`);
    await api.post(GADGETS, gadget('p-e', {}, { labels: { suite: 'pages' } }));
    await api.get(`${base}&limit=2&continue=${token}`);
    await api.get(`${base}&continue=${token}`);
    await api.get(`${base}&limit=2&continue=${token}&resourceVersion=1`);
    await api.get(`${base}&limit=2&continue=${token}&resourceVersionMatch=Exact`);
    await api.get(`${base}&limit=0`);
    await api.get(`${base}&limit=-1`);
    await api.get(`${base}&limit=x`);
    await api.get(`${base}&limit=4`);
    await api.get(`${GADGETS}?limit=1&fieldSelector=metadata.name%3Dp-a`);
    await api.get(`${MAPS.replace('default', 'kube-node-lease')}?limit=1`);
  },
  'what has been compacted': async (api) => {
    await api.compact();
    const base = `${GADGETS}?labelSelector=suite%3Dexpired`;
    const token = Buffer.from('{"v":"meta.k8s.io/v1","rv":2,"start":"x-a\\u0000"}').toString('base64url');
    const expired = await api.get(`${base}&limit=1&continue=${token}`);
    await api.get(`${base}&limit=1&continue=${encodeURIComponent(textAt(expired.json, 'metadata', 'continue'))}`);
    await api.get(`${base}&resourceVersion=2&resourceVersionMatch=Exact`);
    await api.get(`${base}&continue=x`);
  },
  'versions of lists': async (api) => {
    const first = metaOf(await api.post(GADGETS, gadget('versions'))).resourceVersion;
    const base = `${GADGETS}?fieldSelector=metadata.name%3Dversions`;
    const last = metaOf(await api.mergePatch(`${GADGETS}/versions`, { spec: { size: 2 } })).resourceVersion;
    await api.get(`${base}&resourceVersion=${last}`);
    await api.get(`${base}&resourceVersion=${first}&resourceVersionMatch=Exact`);
    await api.get(`${base}&resourceVersion=${last}&resourceVersionMatch=NotOlderThan`);
    await api.get(`${base}&resourceVersion=0`);
    await api.get(`${base}&resourceVersion=0&resourceVersionMatch=Exact`);
    await api.get(`${base}&resourceVersionMatch=Exact`);
    await api.get(`${base}&resourceVersion=1&resourceVersionMatch=Sideways`);
    await api.get(`${base}&resourceVersion=x`);
    await api.get(`${base}&resourceVersion=-1`);
    await api.get(`${GADGETS}/versions?resourceVersion=${last}`);
    await api.get(`${GADGETS}/versions?resourceVersion=0`);
    await api.get(`${GADGETS}/versions?resourceVersion=x`);
  },
  'versions that are still to come': async (api) => {
    await api.get(`${GADGETS}?resourceVersion=999999999`);
    await api.get(`${GADGETS}/nobody?resourceVersion=999999999`);
  },
};
