import { gadget, GADGETS } from './gadget.ts';
import { request, REQUESTS, resource, RESOURCES, type Scripts } from './objects.ts';

/** What later versions say in other words. */
const OF_1_34: Scripts = {
  'texts of 1.34': async (api) => {
    await api.post(REQUESTS, request('wrong', { size: 1.5 }));
    await api.post(GADGETS, gadget('wrong', { size: 2.5 }));
    await api.post(RESOURCES, resource('wrong', {}, { finalizers: ['not/a/name'] }));
    await api.post(RESOURCES, resource('wrong', {}, { ownerReferences: [{ name: 'x' }] }));
    await api.post(RESOURCES, resource('wrong', {}, { labels: { 'a/b/c': 'd' } }));
    await api.post(RESOURCES, resource('wrong', {}, { labels: { a: 'x'.repeat(64) } }));
    await api.post(RESOURCES, resource('wrong', {}, { labels: { ['x'.repeat(64)]: 'a' } }));
  },
  'rules of 1.34': async (api) => {
    for (const spec of [{ low: 2, high: 1 }, { code: 'XX' }, { fragile: true, size: 6 }]) {
      await api.post(GADGETS, gadget('ruled', spec));
    }
    await api.post(GADGETS, gadget('ruled', { fixed: 'a' }));
    await api.mergePatch(`${GADGETS}/ruled`, { spec: { fixed: 'b' } });
    await api.mergePatch(`${GADGETS}/ruled`, { spec: { low: 3, high: 2 } });
  },
  'the table of CustomResourceDefinitions of 1.34': async (api) => {
    await api.table('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.conformance.example.com');
  },
  'patches of 1.34 that end too soon': async (api) => {
    await api.post(GADGETS, gadget('short'));
    for (const form of ['json-patch', 'merge-patch']) {
      const type = `application/${form}+json`;
      await api.ask({ method: 'PATCH', path: `${GADGETS}/short`, type, text: '{"a":' });
      await api.ask({ method: 'PATCH', path: `${GADGETS}/short`, type, text: '' });
    }
  },
};

/** What 1.34 answers with 500. */
const OF_1_37: Scripts = {
  'requests for deletion that are wrong': async (api) => {
    await api.post(GADGETS, gadget('doomed'));
    const path = `${GADGETS}/doomed`;
    for (const text of ['{"a":', '7', '[]', '{"preconditions":7}', '{"dryRun":"All"}', '{"orphanDependents":"x"}']) {
      await api.ask({ method: 'DELETE', path, type: 'application/json', text });
    }
    await api.ask({ method: 'DELETE', path, type: 'text/plain', text: '{}' });
    await api.delete(`${path}/status`);
    await api.delete(path, { kind: 'DeleteOptions', apiVersion: 'v1', unknown: 1 });
    await api.get(path);
  },
};

/** The scripts for one version alone. */
export function scriptsOf(version: string): Scripts {
  return version.startsWith('1.34.') ? OF_1_34 : OF_1_37;
}
