import { gadget, GADGETS } from '../gadget.ts';
import { configMap, MAPS, request, RESOURCES, type Scripts } from '../objects.ts';

/** What HTTP itself can get wrong. */
export const http: Scripts = {
  'paths that lead nowhere': async (api) => {
    const paths = [
      '/nothing',
      '/api/v2',
      '/api/v1/nothings',
      '/api/v1/nothings/a',
      '/apis/nothing.example.com',
      '/apis/nothing.example.com/v1',
      '/apis/nothing.example.com/v1/things',
      '/apis/conformance.example.com/v2',
      '/apis/conformance.example.com/v2/gadgets',
      '/apis/conformance.example.com/v1/nothings',
      '/apis/apps/v2/deployments',
      '/apis/coordination.k8s.io/v1/nothings',
      '/apis/conformance.example.com/v1/gadgets/a',
      '/api/v1/configmaps/a',
      '/api/v1/namespaces/default/nodes',
      '/apis/cro.hpsys.ibm.ie.com/v1alpha1/namespaces/default/composableresources',
      `${GADGETS}/a/nothing`,
      `${MAPS}/a/nothing`,
      `${MAPS}/a/status`,
    ];
    for (const path of paths) await api.get(path);
  },
  'methods that are not allowed': async (api) => {
    await api.post(GADGETS, gadget('method'));
    await api.post(`${GADGETS}/method`, gadget('method'));
    await api.put(GADGETS, gadget('method'));
    await api.mergePatch(GADGETS, {});
    await api.post(`${GADGETS}/method/status`, gadget('method'));
    await api.post(`${MAPS}/method`, configMap('method'));
    await api.put(MAPS, configMap('method'));
    await api.post('/api', {});
    await api.post('/version', {});
    await api.delete('/apis/conformance.example.com/v1/gadgets');
  },
  'bodies that are none': async (api) => {
    for (const path of [GADGETS, MAPS]) {
      const send = (text: string, type = 'application/json') => api.ask({ method: 'POST', path, type, text });
      for (const text of ['{"a":', '', '7', '[]', '{}', 'null', '"x"', '{"kind":"Gadget"}', '{"apiVersion":"v1"}']) {
        await send(text);
      }
      await send('{}', 'text/plain');
      await send('{}', 'application/json; charset=utf-8');
      await send('', 'application/yaml');
    }
  },
  'objects of other kinds': async (api) => {
    await api.post(GADGETS, configMap('x'));
    await api.post(MAPS, gadget('x'));
    await api.post(MAPS, { ...configMap('x'), apiVersion: 'v2' });
    await api.post(GADGETS, { ...gadget('x'), kind: 'Gizmo' });
    await api.post(RESOURCES, request('x'));
    await api.post(MAPS, { metadata: { name: 'untyped' } });
  },
  'YAML bodies': async (api) => {
    const text = 'apiVersion: conformance.example.com/v1\nkind: Gadget\nmetadata:\n  name: yaml\nspec:\n  size: 2\n';
    await api.ask({ method: 'POST', path: GADGETS, type: 'application/yaml', text });
    const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  a: "1"\n';
    await api.ask({ method: 'POST', path: MAPS, type: 'application/yaml', text: map });
  },
  'bodies that are too large': async (api) => {
    await api.post(GADGETS, gadget('large', { note: 'x'.repeat(3 * 1024 * 1024) }));
    await api.post(MAPS, configMap('large', { a: 'x'.repeat(3 * 1024 * 1024) }));
    await api.post(MAPS, configMap('large', { a: 'x'.repeat(1024 * 1024 + 1) }));
    await api.post(GADGETS, gadget('large'));
    await api.mergePatch(`${GADGETS}/large`, { spec: { note: 'x'.repeat(3 * 1024 * 1024) } });
  },
};
