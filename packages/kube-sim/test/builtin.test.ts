import { describe, expect, it } from 'vitest';
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
      'Lease in version "v1" cannot be handled as a Lease: parsing time "2026-01-01T00:00:00.000Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse',
    ]);
  });

  it('of no duration is refused', async () => {
    const { ask } = createBench();
    const answer = await ask('POST', LEASES, lease({ leaseDurationSeconds: 0, leaseTransitions: -1 }));
    expect(answer.body['message']).toBe(
      'Lease.coordination.k8s.io "l" is invalid: [spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0, spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0]',
    );
  });

  it('can be replaced without a resourceVersion, as built-in kinds can', async () => {
    const { ask } = createBench();
    await ask('POST', LEASES, lease({ holderIdentity: 'me' }));
    expect((await ask('PUT', `${LEASES}/l`, lease({ holderIdentity: 'you' }))).body).toMatchObject({
      spec: { holderIdentity: 'you' },
    });
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

  it.each([
    ['GET', '/apis/example.com/v1/nothing', 404],
    ['GET', '/apis/example.com/v1/widgets/a/nothing', 404],
    ['GET', '/apis/example.com/v1/widgets/a/status/more', 404],
    ['GET', '/nowhere', 404],
    ['GET', '/api/v1/%zz', 404],
    ['PUT', '/apis/example.com/v1/widgets', 405],
    ['POST', '/apis/example.com/v1/widgets/a', 405],
    ['DELETE', '/apis/example.com/v1/widgets/a/status', 405],
  ])('%s %s gets %d', async (method, path, status) => {
    const { ask } = createBench();
    expect((await ask(method, path)).status).toBe(status);
  });
});
