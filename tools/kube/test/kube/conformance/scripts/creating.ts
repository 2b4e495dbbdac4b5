import { gadget, GADGETS } from '../gadget.ts';
import { configMap, GROUP, MAPS, request, REQUESTS, resource, RESOURCES, type Scripts } from '../objects.ts';

/** POST: what comes in, and what is refused. */
export const creating: Scripts = {
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
  'names that the server completes': async (api) => {
    const named = (generateName: string) => ({ ...resource('x'), metadata: { generateName } });
    await api.post(RESOURCES, named('generated-'));
    await api.post(RESOURCES, named('Generated_'));
    await api.post(RESOURCES, { ...resource('x'), metadata: {} });
    await api.post(RESOURCES, { ...resource('x'), metadata: { name: '' } });
    await api.post(MAPS, { ...configMap('x'), metadata: { generateName: 'generated-' } });
    await api.post(MAPS, { ...configMap('x'), metadata: {} });
    await api.post(MAPS, configMap('Not_a_name'));
    await api.post(MAPS, configMap('x'.repeat(254)));
    await api.post(RESOURCES, resource('x'.repeat(254)));
    await api.post(RESOURCES, resource('a..b'));
  },
  'metadata that is wrong': async (api) => {
    const wrong = (metadata: object) => api.post(RESOURCES, resource('wrong', {}, metadata));
    await wrong({ labels: { a: '-x' } });
    await wrong({ labels: { a: 1 } });
    await wrong({ labels: { 'UPPER.example.com/x': 'a' } });
    await wrong({ annotations: { 'a b': 'c' } });
    await wrong({ annotations: { a: 'x'.repeat(262_144) } });
    await wrong({ finalizers: 'a' });
    await wrong({ resourceVersion: '1' });
    await wrong({ resourceVersion: 'x' });
    await wrong({ uid: 'not-kept', creationTimestamp: '2020-01-01T00:00:00Z', generation: 7, selfLink: '/x' });
    await api.delete(`${RESOURCES}/wrong`);
  },
  'metadata that the server keeps or drops': async (api) => {
    const metadata = {
      labels: {},
      annotations: null,
      finalizers: [],
      ownerReferences: [],
      deletionTimestamp: '2020-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 5,
      generateName: 'kept-',
      unknown: 1,
    };
    await api.post(RESOURCES, resource('kept', {}, metadata));
    await api.post(MAPS, configMap('kept', {}, metadata));
    await api.post(`${MAPS}?fieldValidation=Strict`, configMap('strict', {}, metadata));
  },
  'namespaces that are not there, or not the right ones': async (api) => {
    await api.post(MAPS.replace('default', 'nowhere'), configMap('x'));
    await api.post(GADGETS.replace('default', 'nowhere'), gadget('x'));
    await api.get(MAPS.replace('default', 'nowhere'));
    await api.get(`${GADGETS.replace('default', 'nowhere')}/x`);
    await api.post(MAPS, configMap('x', {}, { namespace: 'kube-system' }));
    await api.post(GADGETS, gadget('x', {}, { namespace: 'kube-system' }));
    await api.post(RESOURCES, resource('namespaced', {}, { namespace: 'default' }));
    await api.post('/api/v1/configmaps', configMap('x', {}, { namespace: 'default' }));
    await api.post('/apis/conformance.example.com/v1/gadgets', gadget('x', {}, { namespace: 'default' }));
  },
  'dry run': async (api) => {
    await api.post(`${RESOURCES}?dryRun=All`, resource('dry'));
    await api.get(`${RESOURCES}/dry`);
    await api.post(`${RESOURCES}?dryRun=Some`, resource('dry'));
    await api.post(`${RESOURCES}?dryRun=All`, resource('dry', { type: 'tpu' }));
    await api.post(RESOURCES, resource('dry'));
    await api.post(`${RESOURCES}?dryRun=All`, resource('dry'));
    await api.mergePatch(`${RESOURCES}/dry?dryRun=All`, { spec: { model: 'B' } });
    await api.mergePatch(`${RESOURCES}/dry?dryRun=`, { spec: { model: 'C' } });
    await api.delete(`${RESOURCES}/dry?dryRun=All`);
    await api.delete(`${RESOURCES}/dry`, { dryRun: ['All'] });
    await api.delete(`${RESOURCES}/dry`, { dryRun: ['Some'] });
    await api.get(`${RESOURCES}/dry`);
  },
  fieldValidation: async (api) => {
    await api.post(`${GADGETS}?fieldValidation=Ignore`, gadget('ignored', { bogus: 1 }));
    await api.post(`${GADGETS}?fieldValidation=Warn`, gadget('warned', { bogus: 1, parts: [{ name: 'a', extra: 1 }] }));
    await api.post(`${GADGETS}?fieldValidation=Nonsense`, gadget('nonsense'));
    await api.post(`${GADGETS}?fieldValidation=Strict`, gadget('strict', { bogus: 1, nested: { odd: 1 } }));
    await api.post(`${MAPS}?fieldValidation=Strict`, {
      ...configMap('strict'),
      bogus: 1,
      metadata: { name: 'a', b: 1 },
    });
    await api.post(MAPS, { ...configMap('warned'), bogus: 1 });
    await api.post(`${MAPS}?fieldValidation=Ignore`, { ...configMap('ignored'), bogus: 1 });
    await api.mergePatch(`${GADGETS}/warned?fieldValidation=Strict`, { spec: { bogus: 2 } });
    await api.mergePatch(`${GADGETS}/warned`, { spec: { bogus: 2 } });
    await api.mergePatch(`${GADGETS}/warned?fieldValidation=Ignore`, { spec: { bogus: 2, size: 3 } });
  },
};
