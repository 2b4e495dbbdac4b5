import { type Conversation, type Reply } from '../conversation.ts';
import type { Scripts } from '../objects.ts';
import { fieldAt } from '../../support/kinds.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const OURS = '/apis/cro.hpsys.ibm.ie.com';

/** How the server tells what it serves. */
export const discovery: Scripts = {
  'groups and resources': async (api) => {
    await api.get(OURS);
    await api.get(`${OURS}/v1alpha1`);
    await api.get(`${OURS}/`);
    await api.get('/apis/conformance.example.com');
    await api.get('/apis/conformance.example.com/v1');
    await api.get('/apis/coordination.k8s.io');
    await api.get('/healthz');
    await api.get('/readyz');
    await api.get('/livez');
  },
  'aggregated discovery': async (api) => {
    await sample(api, '/apis', AGGREGATED, ({ json }) => {
      const items = fieldAt(json, 'items');
      const groups: readonly unknown[] = Array.isArray(items) ? items : [];
      const named = (name: string) => groups.find((one) => fieldAt(one, 'metadata', 'name') === name);
      return [named('cro.hpsys.ibm.ie.com'), named('conformance.example.com')];
    });
  },
  'OpenAPI of our group': async (api) => {
    await sample(api, `/openapi/v3${OURS}/v1alpha1`, 'application/json', ({ json }) => {
      const schemas = fieldAt(json, 'components', 'schemas');
      const name = 'com.ie.ibm.hpsys.cro.v1alpha1.ComposableResource';
      return [
        fieldAt(schemas, name),
        Object.keys(Object(fieldAt(json, 'paths')) as object).filter((path) => path.includes('{name}')),
      ];
    });
  },
};

/** Compares a part of a large document. */
async function sample(api: Conversation, path: string, accept: string, part: (reply: Reply) => unknown): Promise<void> {
  const reply = await api.quietly({ method: 'GET', path, accept });
  api.keep(`GET ${path}, in part`, reply.status, part(reply));
}
