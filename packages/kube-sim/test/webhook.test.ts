import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCertificate, type ServerCertificate } from '../src/shell/certificate.ts';
import { type Bench, createBench, widget, WIDGETS } from './fixtures.ts';
import type { JsonObject } from '../src/index.ts';

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const MERGE = { 'content-type': 'application/merge-patch+json' };

/** A webhook over TLS that refuses whatever has `refuse` in its spec, in the words that it finds there. */
let certificate: ServerCertificate;
let server: Server;
let port = 0;
let asked: JsonObject[] = [];

beforeAll(async () => {
  certificate = await createCertificate(Date.UTC(2026, 0, 1), ['hook.default.svc']);
  server = createServer({ key: certificate.key, cert: certificate.certificate }, (incoming, outgoing) => {
    let body = '';
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
    incoming.on('end', () => {
      const { request } = JSON.parse(body) as {
        request: JsonObject & { uid: string; object: { spec?: { free?: Record<string, unknown> } } | null };
      };
      asked.push(request);
      const free = request.object?.spec?.free ?? {};
      if (free['answer'] === 'nothing') return;
      if (free['answer'] === 'nonsense') {
        outgoing.end('{}');
        return;
      }
      const allowed = free['status'] === undefined;
      const response = { uid: request.uid, allowed, status: free['status'], warnings: free['warnings'] };
      outgoing.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const bundle = () => Buffer.from(certificate.ca).toString('base64');

async function withWebhook(change: object = {}): Promise<Bench> {
  asked = [];
  const bench = createBench();
  const webhook = {
    name: 'check.example.com',
    rules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['*'], resources: ['widgets'] }],
    clientConfig: { url: `https://127.0.0.1:${String(port)}/validate`, caBundle: bundle() },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    ...change,
  };
  const configuration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'w' },
    webhooks: [webhook],
  };
  expect((await bench.ask('POST', CONFIGURATIONS, configuration)).status).toBe(201);
  return bench;
}

const refusing = (status: object) => widget('a', { size: 1, free: { status } });

describe('a webhook', () => {
  it('is asked with the object as it would be stored', async () => {
    const { ask } = await withWebhook();
    expect((await ask('POST', WIDGETS, widget('a'))).status).toBe(201);
    await ask('PATCH', `${WIDGETS}/a`, { spec: { size: 2 } }, MERGE);
    await ask('DELETE', `${WIDGETS}/a`);
    expect(asked).toMatchObject([
      {
        operation: 'CREATE',
        name: 'a',
        kind: { kind: 'Widget' },
        resource: { resource: 'widgets' },
        object: { spec: { size: 1, colour: 'red' } },
        oldObject: null,
        dryRun: false,
      },
      { operation: 'UPDATE', object: { spec: { size: 2 } }, oldObject: { spec: { size: 1 } } },
      { operation: 'DELETE', object: null, oldObject: { spec: { size: 2 } } },
    ]);
  });

  it.each<[object, number, string | undefined, string]>([
    [{ code: 403, reason: 'Forbidden', message: 'no such model' }, 403, 'Forbidden', ': no such model'],
    [{ message: 'plain' }, 400, undefined, ': plain'],
    [{ reason: 'NotNow' }, 400, 'NotNow', ': NotNow'],
    [{}, 400, undefined, ' without explanation'],
  ])('that denies with %j', async (status, code, reason, text) => {
    const { ask, sim } = await withWebhook();
    const answer = await ask('POST', WIDGETS, refusing(status));
    expect(answer.body['reason']).toBe(reason);
    expect(answer.body).toMatchObject({
      code,
      message: `admission webhook "check.example.com" denied the request${text}`,
    });
    expect(sim.objects.count('widgets.example.com')).toBe(0);
  });

  it('may warn', async () => {
    const { ask } = await withWebhook();
    const answer = await ask('POST', WIDGETS, widget('a', { size: 1, free: { warnings: ['careful'] } }));
    expect([answer.status, answer.headers['warning']]).toEqual([201, '299 - "careful"']);
  });

  it('is asked only where its match conditions hold', async () => {
    const condition = {
      name: 'spec',
      expression: '!has(object.metadata.deletionTimestamp) && (oldObject == null || object.spec != oldObject.spec)',
    };
    const { ask } = await withWebhook({
      matchConditions: [condition],
      rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['widgets'] }],
    });
    await ask('POST', WIDGETS, widget('a', { size: 1 }, { finalizers: ['x/y'] }));
    await ask('PATCH', `${WIDGETS}/a`, { metadata: { labels: { x: 'y' } } }, MERGE);
    await ask('PATCH', `${WIDGETS}/a/status`, { status: { state: 'x' } }, MERGE);
    await ask('PATCH', `${WIDGETS}/a`, { spec: { size: 2 } }, MERGE);
    await ask('DELETE', `${WIDGETS}/a`);
    await ask('PATCH', `${WIDGETS}/a`, { metadata: { finalizers: null } }, MERGE);
    expect(asked.map((request) => request['operation'])).toEqual(['CREATE', 'UPDATE']);
  });

  it('whose match condition cannot be evaluated fails by its policy', async () => {
    const broken = [{ name: 'broken', expression: 'object.spec.nothing.there == 1' }];
    const strict = await withWebhook({ matchConditions: broken });
    expect((await strict.ask('POST', WIDGETS, widget('a'))).status).toBe(403);
    const lenient = await withWebhook({ matchConditions: broken, failurePolicy: 'Ignore' });
    expect((await lenient.ask('POST', WIDGETS, widget('a'))).status).toBe(201);
  });

  it('is picked by operation, subresource and labels', async () => {
    const rule = (operations: readonly string[], resources: readonly string[]) => ({
      rules: [{ apiGroups: ['example.com'], apiVersions: ['*'], operations, resources }],
    });
    const status = await withWebhook(rule(['UPDATE'], ['widgets/status']));
    await status.ask('POST', WIDGETS, widget('a'));
    await status.ask('PATCH', `${WIDGETS}/a`, { spec: { size: 2 } }, MERGE);
    await status.ask('PATCH', `${WIDGETS}/a/status`, { status: { state: 'x' } }, MERGE);
    expect(asked).toMatchObject([{ operation: 'UPDATE', subResource: 'status' }]);
    const labelled = await withWebhook({
      objectSelector: { matchExpressions: [{ key: 'watched', operator: 'Exists' }] },
    });
    await labelled.ask('POST', WIDGETS, widget('a'));
    await labelled.ask('POST', WIDGETS, widget('b', { size: 1 }, { labels: { watched: '' } }));
    expect(asked).toMatchObject([{ name: 'b' }]);
  });

  it('that is not there fails the request, or not, by its policy', async () => {
    const nowhere = { clientConfig: { url: 'https://127.0.0.1:1/x', caBundle: bundle() } };
    const strict = await withWebhook(nowhere);
    const refused = await strict.ask('POST', WIDGETS, widget('a'));
    expect(refused.body).toMatchObject({ code: 500, reason: 'InternalError' });
    expect(refused.body['message']).toMatch(
      /^Internal error occurred: failed calling webhook "check\.example\.com": failed to call webhook: Post "https:\/\/127\.0\.0\.1:1\/x\?timeout=10s": dial tcp 127\.0\.0\.1:1: connect: connection refused$/u,
    );
    const lenient = await withWebhook({ ...nowhere, failurePolicy: 'Ignore' });
    expect((await lenient.ask('POST', WIDGETS, widget('a'))).status).toBe(201);
  });

  it('whose certificate is not trusted is not asked', async () => {
    const other = await createCertificate(Date.UTC(2026, 0, 1), []);
    const { ask } = await withWebhook({
      clientConfig: { url: `https://127.0.0.1:${String(port)}/x`, caBundle: Buffer.from(other.ca).toString('base64') },
    });
    expect((await ask('POST', WIDGETS, widget('a'))).status).toBe(500);
    expect(asked).toEqual([]);
  });

  it('that does not answer in time, or not to the point, has failed', async () => {
    const { ask, clock } = await withWebhook({ timeoutSeconds: 3 });
    const answer = ask('POST', WIDGETS, widget('a', { size: 1, free: { answer: 'nothing' } }));
    while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(3000);
    expect((await answer).body['message']).toContain('context deadline exceeded');
    const nonsense = await ask('POST', WIDGETS, widget('b', { size: 1, free: { answer: 'nonsense' } }));
    expect(nonsense.body['message']).toContain('is no AdmissionReview for this request');
  });

  it('behind a service is found by the Service object, and its certificate must have the service’s name', async () => {
    const { ask, sim } = await withWebhook({
      clientConfig: { service: { name: 'hook', namespace: 'default', path: '/v' }, caBundle: bundle() },
    });
    const missing = await ask('POST', WIDGETS, widget('a'));
    expect(missing.body['message']).toContain('service "hook" not found');
    const service = (name: string) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { clusterIP: '127.0.0.1', ports: [{ port: 443, targetPort: port }] },
    });
    sim.objects.put(service('hook'));
    expect((await ask('POST', WIDGETS, widget('a'))).status).toBe(201);
    expect(asked).toHaveLength(1);
  });

  it('with side effects is not asked about dry runs', async () => {
    const { ask } = await withWebhook({ sideEffects: 'Some' });
    const answer = await ask('POST', `${WIDGETS}?dryRun=All`, widget('a'));
    expect([answer.status, answer.body['message']]).toEqual([
      400,
      'admission webhook "check.example.com" does not support dry run',
    ]);
  });
});

describe('while a webhook is asked', () => {
  it('another write makes a patch start anew, and a PUT with a version fail', async () => {
    const { ask, sim } = await withWebhook();
    const { body: created } = await ask('POST', WIDGETS, widget('a'));
    const meddle = () => sim.objects.put({ ...created, spec: { size: 50, colour: 'blue' } });
    const waitFor = async (count: number) => {
      while (asked.length < count) await new Promise((resolve) => setImmediate(resolve));
    };
    const patching = ask('PATCH', `${WIDGETS}/a`, { spec: { size: 2 } }, MERGE);
    await waitFor(2);
    meddle();
    expect((await patching).body).toMatchObject({ spec: { size: 2, colour: 'blue' } });
    const { body: now } = await ask('GET', `${WIDGETS}/a`);
    const count = asked.length;
    const putting = ask('PUT', `${WIDGETS}/a`, { ...now, spec: { size: 3 } });
    await waitFor(count + 1);
    meddle();
    expect((await putting).status).toBe(409);
  });
});
