import { describe, expect, it } from 'vitest';
import { createBench, widget, widgetCrd, WIDGETS } from './fixtures.ts';
import { createKubeSim } from '../src/index.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A namespaced kind in two versions. */
const gadgetCrd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', kind: 'Gadget' },
    versions: ['v1alpha1', 'v1'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: { spec: { type: 'object', properties: { x: { type: 'string' } } } },
        },
      },
    })),
  },
};

describe('a CustomResourceDefinition', () => {
  it('is served from the moment that it is created until it is deleted', async () => {
    const { ask, sim } = createBench();
    const path = '/apis/example.com/v1/namespaces/default/gadgets';
    const gadget = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' }, spec: { x: 'y' } };
    expect((await ask('POST', path, gadget)).status).toBe(404);
    const created = await ask('POST', CRDS, gadgetCrd);
    expect(created.body).toMatchObject({
      status: {
        conditions: [
          { type: 'NamesAccepted', status: 'True' },
          { type: 'Established', status: 'True' },
        ],
        storedVersions: ['v1'],
      },
      spec: { names: { singular: 'gadget', listKind: 'GadgetList' } },
    });
    expect((await ask('POST', path, gadget)).status).toBe(201);
    const old = await ask('GET', '/apis/example.com/v1alpha1/namespaces/default/gadgets/g');
    expect(old.body).toMatchObject({ apiVersion: 'example.com/v1alpha1', spec: { x: 'y' } });
    await ask('DELETE', `${CRDS}/gadgets.example.com`);
    expect((await ask('GET', path)).text).toBe('404 page not found\n');
    await ask('POST', CRDS, gadgetCrd);
    expect(sim.objects.count('gadgets.example.com')).toBe(0);
  });

  it('that changes is served as it now is, which an operator sees as an outdated CRD', async () => {
    const { ask } = createBench();
    const { body: crd } = await ask('GET', `${CRDS}/widgets.example.com`);
    const pruned = JSON.parse(JSON.stringify(crd).replace('"colour":', '"shade":')) as object;
    expect((await ask('PUT', `${CRDS}/widgets.example.com`, pruned)).status).toBe(200);
    const answer = await ask('POST', WIDGETS, widget('a', { size: 1, colour: 'blue' }));
    expect(answer.body['spec']).toEqual({ size: 1, shade: 'red' });
  });

  it('that changes decides what is shown of stored objects: the rest comes back with it, or is lost with the next write', async () => {
    const { ask } = createBench();
    const path = `${CRDS}/widgets.example.com`;
    const { body: crd } = await ask('GET', path);
    const withoutColour = JSON.parse(JSON.stringify(crd).replace('"colour":', '"shade":')) as object;
    const apply = async (next: object): Promise<void> => {
      const { body } = await ask('GET', path);
      const { metadata } = body as { metadata: object };
      expect((await ask('PUT', path, { ...next, metadata })).status).toBe(200);
    };
    const spec = async (): Promise<unknown> => (await ask('GET', `${WIDGETS}/a`)).body['spec'];
    await ask('POST', WIDGETS, widget('a', { size: 1, colour: 'blue' }));
    await apply(withoutColour);
    expect(await spec()).toEqual({ size: 1, shade: 'red' });
    await apply(crd);
    expect(await spec()).toEqual({ size: 1, colour: 'blue' });
    await apply(withoutColour);
    const labels = { metadata: { labels: { touched: 'true' } } };
    expect(
      (
        await ask('PATCH', `${WIDGETS}/a`, labels, {
          'content-type': 'application/merge-patch+json',
        })
      ).status,
    ).toBe(200);
    await apply(crd);
    expect(await spec()).not.toHaveProperty('colour', 'blue');
  });

  it.each<[string, object, string]>([
    [
      'a wrong name',
      { metadata: { name: 'x' } },
      'metadata.name: Invalid value: "x": must be spec.names.plural+"."+spec.group',
    ],
    [
      'a wrong scope',
      { spec: { ...gadgetCrd.spec, scope: 'World' } },
      'spec.scope: Unsupported value: "World": supported values: "Cluster", "Namespaced"',
    ],
    [
      'no storage version',
      { spec: { ...gadgetCrd.spec, versions: [] } },
      'must have exactly one version marked as storage version',
    ],
    [
      'a schema without a type',
      {
        spec: {
          ...gadgetCrd.spec,
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', properties: { a: {} } } },
            },
          ],
        },
      },
      'spec.versions[0].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields',
    ],
  ])('with %s is refused', async (_, change, text) => {
    const { ask } = createBench();
    const answer = await ask('POST', CRDS, { ...gadgetCrd, ...change });
    expect(answer.status).toBe(422);
    expect(answer.body['message']).toContain(text);
  });

  it('given at the start must be right', () => {
    const { clock, sim } = createBench();
    const crds = [{ ...gadgetCrd, spec: { ...gadgetCrd.spec, scope: 'World' } }];
    expect(() => createKubeSim({ clock, random: sim.random, crds })).toThrow(
      'crds: gadgets.example.com: spec.scope: Unsupported value: "World": supported values: "Cluster", "Namespaced"',
    );
  });

  it('given at the start must be one', () => {
    const { clock, sim } = createBench();
    expect(() => createKubeSim({ clock, random: sim.random, crds: [{ kind: 'Pod' }] })).toThrow(
      'crds: found {"kind":"Pod"}; accepted are CustomResourceDefinition manifests',
    );
  });
});

describe('discovery', () => {
  it('in the old form', async () => {
    const { ask } = createBench();
    expect((await ask('GET', '/api')).body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    const groups = (await ask('GET', '/apis')).body as unknown as { groups: { name: string }[] };
    expect(groups.groups.map(({ name }) => name)).toContain('example.com');
    expect((await ask('GET', '/apis/example.com')).body).toMatchObject({ preferredVersion: { version: 'v1' } });
    expect((await ask('GET', '/apis/example.com/v1')).body).toMatchObject({
      groupVersion: 'example.com/v1',
      resources: [
        { name: 'widgets', kind: 'Widget', shortNames: ['wd'], namespaced: false },
        { name: 'widgets/status' },
      ],
    });
    expect((await ask('GET', '/apis/nothing.com')).status).toBe(404);
  });

  it('in the aggregated form', async () => {
    const { ask } = createBench();
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
    const answer = await ask('GET', '/apis', undefined, { accept });
    expect(answer.headers['content-type']).toContain('as=APIGroupDiscoveryList');
    const body = answer.body as unknown as { items: { metadata: { name: string }; versions: unknown[] }[] };
    expect(body.items.find(({ metadata }) => metadata.name === 'example.com')?.versions).toMatchObject([
      {
        version: 'v1',
        resources: [{ resource: 'widgets', scope: 'Cluster', subresources: [{ subresource: 'status' }] }],
      },
    ]);
  });

  it('of OpenAPI gives each group’s schemas and the parameters of its writes', async () => {
    const { ask } = createBench();
    const index = (await ask('GET', '/openapi/v3')).body as unknown as {
      paths: Record<string, { serverRelativeURL: string }>;
    };
    const url = index.paths['apis/example.com/v1']?.serverRelativeURL ?? '';
    const document = JSON.stringify((await ask('GET', url)).body);
    expect(document).toContain('"A Widget is something that is made in sizes."');
    expect(document).toContain('"fieldValidation"');
    expect((await ask('GET', '/openapi/v2')).text).toContain('com.example.v1.Widget');
  });

  it('names the served version of DeviceTaintRule, which is an option', async () => {
    const rules = async (versions: readonly ('v1' | 'v1alpha3')[]) => {
      const { ask } = createBench({ servedTaintRuleVersions: versions });
      const statuses = ['v1alpha3', 'v1'].map(
        async (version) => (await ask('GET', `/apis/resource.k8s.io/${version}/devicetaintrules`)).status,
      );
      return Promise.all(statuses);
    };
    expect([await rules(['v1alpha3']), await rules(['v1']), await rules(['v1', 'v1alpha3'])]).toEqual([
      [200, 404],
      [404, 200],
      [200, 200],
    ]);
  });
});

describe('DeviceTaintRule', () => {
  const path = (version: string) => `/apis/resource.k8s.io/${version}/devicetaintrules`;
  const rule = (value: string, device = 'gpu-0') => ({
    metadata: { name: 'r' },
    spec: { deviceSelector: { device }, taint: { key: 'k8s.io/device-uuid', value, effect: 'NoSchedule' } },
  });

  it('stays what it is when it is served in another version', async () => {
    const { ask, sim } = createBench({ servedTaintRuleVersions: ['v1alpha3'] });
    const created = await ask('POST', path('v1alpha3'), rule('GPU-a'));
    expect(created.status).toBe(201);
    sim.serveTaintRules(['v1']);
    expect((await ask('GET', `${path('v1alpha3')}/r`)).status).toBe(404);
    const found = await ask('GET', `${path('v1')}/r`);
    expect(found.body).toEqual({ ...(created.body as object), apiVersion: 'resource.k8s.io/v1' });
    expect(found.body).toHaveProperty('spec.taint.timeAdded');
    sim.serveTaintRules([]);
    expect((await ask('GET', `${path('v1')}/r`)).status).toBe(404);
  });

  it('answers a deletion with the object, and from v1 on with a Status', async () => {
    const { ask } = createBench({ servedTaintRuleVersions: ['v1', 'v1alpha3'] });
    const kinds: unknown[] = [];
    for (const version of ['v1', 'v1alpha3']) {
      await ask('POST', path(version), rule('GPU-a'));
      kinds.push(((await ask('DELETE', `${path(version)}/r`)).body as { kind: string }).kind);
    }
    expect(kinds).toEqual(['Status', 'DeviceTaintRule']);
  });

  it('refuses a device or a value that the real server would', async () => {
    const { ask } = createBench();
    for (const wrong of [rule('GPU a'), rule('GPU-a', 'GPU_0')])
      expect((await ask('POST', path('v1alpha3'), wrong)).status).toBe(422);
  });
});

it('the widget CRD of these tests is one that the server accepts', async () => {
  const { ask } = createBench({ crds: [] });
  expect((await ask('POST', CRDS, widgetCrd)).status).toBe(201);
});
