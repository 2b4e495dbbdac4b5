import { gadget, GADGETS } from '../gadget.ts';
import { configMap, FINALIZER, MAPS, metaOf, resource, RESOURCES, type Scripts } from '../objects.ts';

/** GET with `watch`: order, bookmarks, the beginning and the end. */
export const watching: Scripts = {
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
  'what a watch with a selector sees': async (api) => {
    const { resourceVersion } = metaOf(
      await api.post(GADGETS, gadget('seen', { colour: 'red' }, { labels: { in: 'no' } })),
    );
    const path = `${GADGETS}/seen`;
    const from = `watch=true&timeoutSeconds=1&resourceVersion=${resourceVersion}`;
    await api.mergePatch(path, { metadata: { labels: { in: 'yes' } } });
    await api.mergePatch(path, { spec: { size: 2 } });
    await api.mergePatch(path, { metadata: { labels: { in: 'no' } } });
    await api.mergePatch(path, { spec: { colour: 'blue', size: 3 } });
    await api.mergePatch(path, { metadata: { labels: { in: 'yes' } } });
    await api.delete(path);
    await api.get(`${GADGETS}?${from}&labelSelector=in%3Dyes`);
    await api.get(`${GADGETS}?${from}&fieldSelector=spec.colour%3Dblue,metadata.name%3Dseen`);
    await api.get(`${path}?${from}`);
    await api.get(`/api/v1/namespaces/default?${from}`);
  },
  'watching while writing': async (api) => {
    const { resourceVersion } = metaOf(await api.post(GADGETS, gadget('live-a')));
    const watching = api.get(`${GADGETS}?watch=1&timeoutSeconds=2&resourceVersion=${resourceVersion}`);
    const maps = api.get(`${MAPS}?watch=1&timeoutSeconds=2&resourceVersion=${resourceVersion}`);
    await api.post(GADGETS, gadget('live-b'));
    await api.post(MAPS, configMap('live'));
    await api.mergePatch(`${GADGETS}/live-a`, { spec: { size: 2 } });
    await api.mergePatch(`${GADGETS}/live-a`, { spec: { size: 2 } });
    await api.mergePatch(`${GADGETS}/live-b/status`, { status: { count: 2 } });
    await api.delete(`${GADGETS}/live-a`);
    await api.post(GADGETS, gadget('live-a'));
    await api.delete(`${MAPS}/live`);
    await watching;
    await maps;
  },
  'watches that begin with what is there': async (api) => {
    const metadata = { labels: { suite: 'initial' } };
    for (const name of ['initial-b', 'initial-a']) await api.post(GADGETS, gadget(name, {}, metadata));
    const watch = (query: string) =>
      api.get(`${GADGETS}?watch=1&timeoutSeconds=1&labelSelector=suite%3Dinitial${query}`);
    const match = '&resourceVersionMatch=NotOlderThan';
    await watch('');
    await watch('&resourceVersion=0');
    await watch('&allowWatchBookmarks=true');
    await api.get(`${MAPS}?watch=1&timeoutSeconds=1&allowWatchBookmarks=true&fieldSelector=metadata.name%3Dnobody`);
    await watch(`&sendInitialEvents=true${match}&allowWatchBookmarks=true`);
    await watch(`&sendInitialEvents=true${match}&allowWatchBookmarks=true&resourceVersion=0`);
    await watch(`&sendInitialEvents=true${match}`);
    await watch(`&sendInitialEvents=false${match}&allowWatchBookmarks=true`);
    await watch('&sendInitialEvents=true');
    await watch('&resourceVersionMatch=NotOlderThan');
    await watch('&sendInitialEvents=true&resourceVersionMatch=Exact');
    await watch('&sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=1');
    await api.get(`${GADGETS}?sendInitialEvents=true${match}`);
  },
  'watches that cannot begin': async (api) => {
    await api.compact();
    await api.get(`${GADGETS}?watch=1&timeoutSeconds=1&resourceVersion=1`);
    await api.get(`${GADGETS}?watch=1&timeoutSeconds=1&resourceVersion=x`);
    await api.get(`${GADGETS}?watch=1&timeoutSeconds=1&fieldSelector=spec.size%3D1`);
    await api.get(`${GADGETS}?watch=1&timeoutSeconds=1&continue=x`);
    await api.get(`${GADGETS.replace('default', 'nowhere')}?watch=1&timeoutSeconds=1`);
    await api.get('/apis/conformance.example.com/v1/nothings?watch=1&timeoutSeconds=1');
  },
};
