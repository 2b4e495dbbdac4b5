import { describe, expect, it } from 'vitest';
import { listAt } from '../src/base/json.ts';
import { createBench } from './fixtures.ts';

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const lease = (spec: object) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'l' },
  spec,
});

describe('a Lease', () => {
  it('is kept with its times in microseconds', async () => {
    const { ask } = createBench();
    const spec = {
      holderIdentity: 'me',
      leaseDurationSeconds: 15,
      renewTime: '2026-01-01T00:00:00.000000Z',
      leaseTransitions: 0,
    };
    const created = await ask('POST', LEASES, lease(spec));
    expect([created.status, created.body['spec']]).toEqual([201, spec]);
    expect(created.body['metadata']).not.toHaveProperty('generation');
  });

  it('with a time in milliseconds, as JavaScript writes it, is refused', async () => {
    const { ask } = createBench();
    const answer = await ask('POST', LEASES, lease({ renewTime: '2026-01-01T00:00:00.000Z' }));
    expect([answer.status, answer.body['message']]).toEqual([
      400,
      'Lease in version "v1" cannot be handled as a Lease: parsing time "2026-01-01T00:00:00.000Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse ".000Z" as ".000000"',
    ]);
  });

  it('of no duration is refused', async () => {
    const { ask } = createBench();
    const answer = await ask('POST', LEASES, lease({ leaseDurationSeconds: 0, leaseTransitions: -1 }));
    expect(answer.body['message']).toBe(
      'Lease.coordination.k8s.io "l" is invalid: [spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0, spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0]',
    );
  });

  it('cannot be replaced without a resourceVersion, as most built-in kinds can', async () => {
    const { ask } = createBench();
    await ask('POST', LEASES, lease({ holderIdentity: 'me' }));
    const answer = await ask('PUT', `${LEASES}/l`, lease({ holderIdentity: 'you' }));
    expect([answer.status, answer.body['message']]).toEqual([
      422,
      'leases.coordination.k8s.io "l" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    ]);
  });
});

describe('an Event', () => {
  const event = (namespace: string, fields: object) => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e', namespace },
    ...fields,
  });

  it.each<[string, object, number]>([
    ['default', { involvedObject: { kind: 'Widget', name: 'a' } }, 201],
    ['kube-system', { involvedObject: { kind: 'Widget', name: 'a' } }, 422],
    ['kube-system', { involvedObject: { kind: 'Pod', name: 'a', namespace: 'kube-system' } }, 201],
    ['default', { involvedObject: { kind: 'Pod', name: 'a', namespace: 'kube-system' } }, 422],
    ['default', { involvedObject: {}, eventTime: '2026-01-01T00:00:00.000000Z' }, 422],
    ['default', { involvedObject: {}, eventTime: '2026-01-01T00:00:00.000Z' }, 400],
    [
      'default',
      {
        involvedObject: {},
        eventTime: '2026-01-01T00:00:00.000000Z',
        reportingComponent: 'c',
        reportingInstance: 'i',
        action: 'a',
        reason: 'r',
      },
      201,
    ],
  ])('in %s about %j gets %d', async (namespace, fields, status) => {
    const { ask } = createBench();
    const answer = await ask('POST', `/api/v1/namespaces/${namespace}/events`, event(namespace, fields));
    expect(answer.status).toBe(status);
  });
});

describe('a DeviceTaintRule', () => {
  const RULES = '/apis/resource.k8s.io/v1alpha3/devicetaintrules';
  const rule = (spec: object) => ({
    apiVersion: 'resource.k8s.io/v1alpha3',
    kind: 'DeviceTaintRule',
    metadata: { name: 'r' },
    spec,
  });

  it('is checked by its schema', async () => {
    const { ask } = createBench();
    const taint = { key: 'k8s.io/device-uuid', value: 'x', effect: 'NoSchedule' };
    const good = await ask(
      'POST',
      `${RULES}?fieldValidation=Strict`,
      rule({ deviceSelector: { driver: 'd', pool: 'p', device: 'x' }, taint }),
    );
    expect([good.status, good.body['metadata']]).toMatchObject([201, { generation: 1 }]);
    const wrong = await ask('POST', RULES, rule({ taint: { ...taint, effect: 'Never' } }));
    expect(wrong.body['message']).toContain(
      'spec.taint.effect: Unsupported value: "Never": supported values: "NoExecute", "NoSchedule"',
    );
    const unknown = await ask('POST', `${RULES}?fieldValidation=Strict`, rule({ deviceSelektor: {}, taint }));
    expect(unknown.body['message']).toContain('unknown field "spec.deviceSelektor"');
  });
});

describe('built-in kinds', () => {
  it('drop the status of a new object, save for Nodes', async () => {
    const { ask } = createBench();
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: {}, status: { phase: 'Running' } };
    expect((await ask('POST', '/api/v1/namespaces/default/pods', pod)).body).toMatchObject({
      status: { phase: 'Pending' },
    });
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status: { conditions: [] } };
    expect((await ask('POST', '/api/v1/nodes', node)).body).toMatchObject({ status: { conditions: [] } });
  });

  it('answer a deleted Pod with the Pod', async () => {
    const { ask, sim } = createBench();
    sim.objects.put({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } });
    expect((await ask('DELETE', '/api/v1/namespaces/default/pods/p')).body['kind']).toBe('Pod');
  });

  it('refuse a Secret whose data is not base64', async () => {
    const { ask } = createBench();
    const answer = await ask('POST', '/api/v1/namespaces/default/secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      data: { a: '!' },
    });
    expect([answer.status, answer.body['message']]).toEqual([
      400,
      'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 0',
    ]);
  });

  it('are listed across namespaces, and created in one', async () => {
    const { ask, sim } = createBench();
    sim.objects.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'kube-system' } });
    expect((await ask('GET', '/api/v1/configmaps')).body).toMatchObject({
      kind: 'ConfigMapList',
      items: [{ metadata: { name: 'a' } }],
    });
    expect(
      (await ask('POST', '/api/v1/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } }))
        .status,
    ).toBe(405);
    expect((await ask('GET', '/api/v1/configmaps/a')).status).toBe(404);
  });

  it('say in lists neither their apiVersion nor their kind, while custom kinds do', async () => {
    const { ask, sim } = createBench();
    sim.objects.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } });
    sim.objects.put({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } });
    const items = async (path: string) => listAt((await ask('GET', path)).body, 'items');
    expect((await items('/api/v1/configmaps')).map((item) => Object.keys(item as object))).toEqual([['metadata']]);
    expect(await items('/apis/example.com/v1/widgets')).toMatchObject([
      { apiVersion: 'example.com/v1', kind: 'Widget' },
    ]);
  });

  it.each([
    [{ a: 1 }, 400, 'json: cannot unmarshal number into Go struct field ConfigMap.data of type string'],
    [{ 'a b': '1' }, 422, 'data[a b]: Invalid value: "a b": a valid config key must consist of'],
  ])('refuse a ConfigMap with data %j', async (data, status, message) => {
    const { ask } = createBench();
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data };
    const answer = await ask('POST', '/api/v1/namespaces/default/configmaps', map);
    expect([answer.status, String(answer.body['message']).includes(message)]).toEqual([status, true]);
  });

  it('fill in what a webhook leaves out, and refuse one that is called without TLS', async () => {
    const { ask } = createBench();
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    const configuration = (url: string) => ({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'hooks' },
      webhooks: [{ name: 'a.example.com', clientConfig: { url }, timeoutSeconds: 5, sideEffects: 'None' }],
    });
    expect((await ask('POST', path, configuration('https://127.0.0.1:1/'))).body).toMatchObject({
      webhooks: [{ failurePolicy: 'Fail', matchPolicy: 'Equivalent', objectSelector: {}, timeoutSeconds: 5 }],
    });
    const refused = await ask('POST', path, configuration('http://127.0.0.1:1/'));
    expect([refused.status, refused.body['message']]).toEqual([
      422,
      'ValidatingWebhookConfiguration.admissionregistration.k8s.io "hooks" is invalid: webhooks[0].clientConfig.url: ' +
        'Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
    ]);
  });

  it('answer a Status where their groups have no such resource, and others a plain text', async () => {
    const { ask } = createBench();
    expect((await ask('GET', '/api/v1/nothings')).body).toMatchObject({ code: 404, reason: 'NotFound', details: {} });
    expect((await ask('GET', '/apis/example.com/v1/nothings')).text).toBe('404 page not found\n');
  });

  it.each([
    ['GET', '/apis/example.com/v1/nothing', 404],
    ['GET', '/apis/example.com/v1/widgets/a/nothing', 404],
    ['GET', '/apis/example.com/v1/widgets/a/status/more', 404],
    ['GET', '/nowhere', 404],
    ['GET', '/api/v1/%zz', 404],
    ['PUT', '/apis/example.com/v1/widgets', 400],
    ['PUT', '/api/v1/nodes', 405],
    ['POST', '/api/v1/nodes/a', 405],
    ['POST', '/version', 405],
    ['DELETE', '/api/v1/namespaces', 405],
    ['DELETE', '/apis/example.com/v1/widgets/a/status', 405],
  ])('%s %s gets %d', async (method, path, status) => {
    const { ask } = createBench();
    expect((await ask(method, path)).status).toBe(status);
  });
});
