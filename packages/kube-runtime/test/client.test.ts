import { delay } from '@cro/clock';
import { describe, expect, it } from 'vitest';
import { KubeClient, RuntimeMetrics, type OwnWrite } from '../src/index.ts';
import { inProcessTransport } from '../src/testing.ts';
import { json, status } from './support/tiny-server.ts';
import { widget, widgets } from './support/widget.ts';
import { world } from './support/world.ts';

/** Enough that they meet where one at a time is let in. */
const WRITERS = 50;
const ref = { name: 'a', namespace: 'default' };

function withAnswers(...answers: (ReturnType<typeof status> | 'reset' | 'hang')[]) {
  const all = world();
  const left = [...answers];
  all.server.intercept = () => {
    const answer = left.shift();
    if (answer === 'reset') return Promise.reject(new Error('read ECONNRESET'));
    if (answer === 'hang') return new Promise(() => undefined);
    return answer;
  };
  return all;
}

const invalid = (details: object) =>
  json(422, { kind: 'Status', status: 'Failure', reason: 'Invalid', message: 'invalid', code: 422, details });

describe('KubeClient, reading', () => {
  it('gets and lists', async () => {
    const { client, server } = world();
    expect(await client.get(widgets, ref)).toEqual({ tag: 'notFound' });
    for (let at = 0; at < 700; at += 1) server.history.create('widgets', 'default', widget(`w${at}`));
    expect(await client.get(widgets, { name: 'w3', namespace: 'default' })).toMatchObject({
      tag: 'found',
      object: { metadata: { name: 'w3' } },
    });
    const listed = await client.list(widgets, { labelSelector: 'a in (b,c)', fieldSelector: 'x=y' });
    expect(listed.tag === 'listed' && listed.objects).toHaveLength(700);
    expect(server.requests.at(-1)?.path).toBe(
      '/apis/test.example/v1/widgets?limit=500&continue=710%3A500&labelSelector=a%20in%20(b%2Cc)&fieldSelector=x%3Dy',
    );
  });

  it('does not take an object that cannot be read for absent', async () => {
    const { client, server } = world();
    server.history.create('widgets', 'default', { metadata: { name: 'a' }, kind: 'Widget' });
    expect(await client.get(widgets, ref)).toMatchObject({ tag: 'failed', error: { reason: 'Malformed' } });
    expect(await client.list(widgets)).toMatchObject({
      tag: 'failed',
      error: { reason: 'Malformed', message: 'Widget a: spec.size: expected a number' },
    });
  });

  it('says why it failed', async () => {
    const { client } = withAnswers(status(403, 'Forbidden', 'widgets "a" is forbidden'), 'reset', {
      status: 502,
      headers: {},
      body: '<html>\n bad\tgateway</html>',
    });
    expect(await client.get(widgets, ref)).toEqual({
      tag: 'failed',
      error: { status: 403, reason: 'Forbidden', message: 'widgets "a" is forbidden' },
    });
    expect(await client.get(widgets, ref)).toEqual({
      tag: 'failed',
      error: { status: 0, reason: 'NoAnswer', message: 'read ECONNRESET' },
    });
    expect(await client.get(widgets, ref)).toEqual({
      tag: 'failed',
      error: { status: 502, reason: 'HTTP 502', message: '<html> bad gateway</html>' },
    });
  });

  it.each(['', '.', '..', 'a/b', 'a%2fb'])('sends nothing for the name %j', async (name) => {
    const { client, server } = world();
    const bad = { name, namespace: 'default' };
    expect(await client.get(widgets, bad)).toMatchObject({ tag: 'failed', error: { reason: 'BadName' } });
    expect(await client.delete(widgets, bad)).toMatchObject({ tag: 'refused' });
    expect(await client.patch(widgets, bad, { type: 'merge', value: {} })).toMatchObject({ tag: 'refused' });
    expect(await client.get(widgets, { name: 'a' })).toMatchObject({
      error: { message: 'namespace is missing; widgets are namespaced' },
    });
    expect(server.requests).toEqual([]);
  });
});

describe('KubeClient, time', () => {
  it('repeats what was turned away, when the server says, within its time', async () => {
    const busy = status(429, 'TooManyRequests', 'busy', { 'Retry-After': '3' });
    const { client, clock, server } = withAnswers(busy, busy);
    const created = client.create(widgets, widget('a'));
    await clock.advance(2_999);
    expect(server.requests).toHaveLength(1);
    // After the first time it waits up to a second more, after the second up to two.
    await clock.advance(1_001 + 5_000);
    expect(await created).toMatchObject({ tag: 'done' });
    expect(server.requests).toHaveLength(3);
  });

  it('does not meet again those who were turned away with it', async () => {
    const { client, clock, server } = world();
    const busy = status(429, 'TooManyRequests', 'busy', { 'retry-after': '1' });
    let taken = false;
    server.intercept = async () => {
      if (taken) return busy;
      taken = true;
      await delay(clock, 20);
      taken = false;
      return undefined;
    };
    const outcomes = Array.from({ length: WRITERS }, (_, n) => client.create(widgets, widget(`w${n}`)));
    // In step they would need a second each.
    await clock.advance(10_000);
    expect(server.history.all('widgets')).toHaveLength(WRITERS);
    for (const outcome of await Promise.all(outcomes)) expect(outcome).toMatchObject({ tag: 'done' });
  });

  it('repeats a read, but no write, on 503 with Retry-After', async () => {
    const down = status(503, 'ServiceUnavailable', 'down', { 'retry-after': '1' });
    const { client, clock, server } = withAnswers(down, down);
    const read = client.get(widgets, ref);
    await clock.advance(5_000);
    expect(await read).toEqual({ tag: 'notFound' });
    expect(server.requests).toHaveLength(3);
    expect(await withAnswers(down).client.create(widgets, widget('a'))).toMatchObject({
      tag: 'unknown',
      error: { status: 503, retryAfterMs: 1_000 },
    });
  });

  it('gives up at its deadline', async () => {
    const busy = status(429, 'TooManyRequests', 'busy', { 'retry-after': '20' });
    const { client, clock } = withAnswers(busy, busy);
    const refused = client.create(widgets, widget('a'));
    // The second time would be after its deadline.
    await clock.advance(21_000);
    expect(await refused).toMatchObject({ tag: 'refused', error: { status: 429, retryAfterMs: 20_000 } });
    const hanging = withAnswers('hang');
    const unknown = hanging.client.create(widgets, widget('a'));
    await hanging.clock.advance(30_000);
    expect(await unknown).toEqual({
      tag: 'unknown',
      error: { status: 0, reason: 'NoAnswer', message: 'no answer within 30000 ms' },
    });
    expect(hanging.clock.pending).toBe(0);
  });
});

describe('KubeClient, writing', () => {
  it('fills in what an object is, and asks for strictness', async () => {
    const { client, server } = world();
    await client.create(widgets, widget('a'));
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({ apiVersion: 'test.example/v1', kind: 'Widget' });
    await client.replace(
      widgets,
      { metadata: ref, spec: { size: 3 } },
      { subresource: 'status', fieldValidation: 'Strict' },
    );
    expect(server.requests[1]).toMatchObject({
      method: 'PUT',
      path: '/apis/test.example/v1/namespaces/default/widgets/a/status?fieldValidation=Strict',
    });
    await client.patch(widgets, ref, { type: 'json', operations: [{ op: 'remove', path: '/spec/color' }] });
    expect(server.requests[2]).toMatchObject({
      method: 'PATCH',
      body: '[{"op":"remove","path":"/spec/color"}]',
      headers: { 'content-type': 'application/json-patch+json' },
    });
  });

  it.each([
    [status(404, 'NotFound', 'x'), 'notFound'],
    [status(409, 'Conflict', 'x'), 'conflict'],
    [status(409, 'AlreadyExists', 'x'), 'alreadyExists'],
    [status(400, 'BadRequest', 'x'), 'refused'],
    [status(403, 'Forbidden', 'x'), 'refused'],
    [invalid({ causes: [{ field: 'spec.size' }] }), 'refused'],
    [status(500, 'InternalError', 'x'), 'unknown'],
    [status(504, 'Timeout', 'x'), 'unknown'],
    [{ status: 200, headers: {}, body: 'no JSON' }, 'unknown'],
    ['reset' as const, 'unknown'],
  ])('sorts answer %# by what is certain: %s', async (answer, expected) => {
    expect((await withAnswers(answer).client.create(widgets, widget('a'))).tag).toBe(expected);
  });

  it('tells a failed test of a JSON patch from an invalid object', async () => {
    const test = { op: 'test', path: '/metadata/uid', value: 'u' } as const;
    const remove = { op: 'remove', path: '/spec/color' } as const;
    const patch = async (answer: ReturnType<typeof status>, ...operations: (typeof test | typeof remove)[]) =>
      (await withAnswers(answer).client.patch(widgets, ref, { type: 'json', operations })).tag;
    expect(await patch(invalid({}), test, remove)).toBe('conflict');
    expect(await patch(invalid({ causes: [{ reason: 'UnexpectedServerResponse' }] }), test)).toBe('conflict');
    expect(await patch(invalid({ causes: [{ reason: 'FieldValueInvalid' }] }), test)).toBe('refused');
    expect(await patch(invalid({}), remove)).toBe('refused');
  });

  it('deletes with preconditions', async () => {
    const { client, server } = world();
    server.history.create('widgets', 'default', widget('a', 1, { finalizers: ['f'] }));
    expect(await client.delete(widgets, ref, { uid: 'other' })).toMatchObject({ tag: 'conflict' });
    const uid = 'uid-11';
    expect(await client.delete(widgets, ref, { uid, propagationPolicy: 'Background' })).toMatchObject({
      tag: 'done',
      object: { metadata: { finalizers: ['f'] } },
    });
    expect(JSON.parse(server.requests.at(-1)?.body ?? '')).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid },
      propagationPolicy: 'Background',
    });
    expect(await client.delete(widgets, { ...ref, name: 'b' })).toEqual({ tag: 'notFound' });
  });

  it('announces what was acknowledged, and only that', async () => {
    const { client, server } = world();
    const writes: OwnWrite[] = [];
    const stop = client.onWrite((write) => writes.push(write));
    await client.create(widgets, widget('a', 1, { finalizers: ['f'] }));
    await client.create(widgets, widget('a'));
    await client.withTimeout(1_000).delete(widgets, ref);
    // The last finalizer goes, and the object with it.
    await client.patch(widgets, ref, { type: 'merge', value: { metadata: { finalizers: null } } });
    expect(server.history.all('widgets')).toEqual([]);
    await client.create(widgets, widget('b'));
    await client.delete(widgets, { ...ref, name: 'b' });
    stop();
    await client.create(widgets, widget('c'));
    expect(writes.map((write) => [write.tag, write.tag === 'gone' ? write.uid : ''])).toEqual([
      ['stored', ''],
      ['stored', ''],
      ['gone', 'uid-11'],
      ['stored', ''],
      ['gone', 'uid-14'],
    ]);
  });
});

describe('KubeClient, metrics', () => {
  it('counts requests as client-go does', async () => {
    const { clock, random, server } = world();
    const metrics = new RuntimeMetrics();
    const client = new KubeClient({ transport: inProcessTransport(server.handle, 'api'), clock, random, metrics });
    await client.create(widgets, widget('a'));
    server.intercept = () => Promise.reject(new Error('reset'));
    await client.get(widgets, ref);
    const text = await metrics.registry.metrics();
    expect(text).toContain('rest_client_requests_total{code="201",host="api",method="POST"} 1');
    expect(text).toContain('rest_client_requests_total{code="<error>",host="api",method="GET"} 1');
  });
});
