import { jsonClient, SendError, type Answer, type CallContext, type JsonCall } from '@cro/cdi-core';
import { decoderOf } from '@cro/crd-types';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { reply, scripted, type Step } from '../support/scripted.ts';

const decode = decoderOf(Type.Object({ items: Type.Array(Type.Object({ id: Type.String() })) }));
const good = reply(200, { items: [{ id: 'a', more: 1 }], unknown: true });
const lost = new SendError('broken', true, 'the connection broke');

function call(changes: Partial<JsonCall<{ items: { id: string }[] }>> = {}) {
  return { what: 'FM get', method: 'GET' as const, url: 'https://fm.test/x', decode, ...changes };
}

function context(timeoutMs = 30_000, signal = new AbortController().signal): CallContext {
  return { signal, timeoutMs };
}

async function outcome(steps: readonly Step[], changes = {}, bounds = context()) {
  const { host, run, sent } = scripted(steps);
  const { value, ms } = await run<Answer<unknown>>(jsonClient(host).call(call(changes), bounds));
  return { answer: value, ms, calls: sent.length, sent };
}

describe('bodies', () => {
  test('unknown fields pass', async () => {
    expect((await outcome([good])).answer).toEqual({
      tag: 'ok',
      status: 200,
      value: { items: [{ id: 'a', more: 1 }], unknown: true },
    });
  });

  test.each([
    ['a missing field', reply(200, { items: [{}] }), 'items[0].id: found nothing, accepted: string'],
    ['a wrong type', reply(200, { items: [{ id: 'a' }, { id: 5 }] }), 'items[1].id: found 5, accepted: string'],
    ['HTML', reply(200, '<html>hello</html>'), "invalid character '<' looking for beginning of value"],
    ['an empty body', reply(200, ''), 'unexpected end of JSON input'],
    ['half a body', reply(200, '{"items": ['), 'it is not JSON'],
    ['null', reply(200, 'null'), 'the object: found null, accepted: object'],
  ])('%s is a mismatch that says where, and is not asked for again', async (_, step, problem) => {
    expect(await outcome([step])).toMatchObject({ answer: { tag: 'mismatch', status: 200, problem }, calls: 1 });
  });

  test('an empty body is handed to the decoder where the call allows it', async () => {
    const changes = { mayBeEmpty: true, decode: decoderOf(Type.Unknown()), method: 'DELETE' };
    expect((await outcome([reply(204, '')], changes)).answer).toEqual({ tag: 'ok', status: 204, value: undefined });
  });

  test('a JSON body and a form carry their content types', async () => {
    const { sent } = await outcome([good], { method: 'PATCH', body: { a: 1 } });
    expect(sent[0]).toMatchObject({ body: '{"a":1}', headers: { 'content-type': 'application/json' } });
    const form = await outcome([good], { method: 'POST', form: 'a=1' });
    expect(form.sent[0]).toMatchObject({
      body: 'a=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  });
});

describe('repetition', () => {
  test.each([
    ['no answer', lost],
    ['429', reply(429, '')],
    ['500', reply(500, '')],
    ['503', reply(503, '')],
  ])('a read is repeated after %s', async (_, step) => {
    const { answer, calls, ms } = await outcome([step, step, good]);
    expect(answer.tag).toBe('ok');
    expect(calls).toBe(3);
    // 200 ms and 400 ms, each at three quarters by the fake host's random number.
    expect(ms).toBe(450);
  });

  test('a read is given up after three tries', async () => {
    expect(await outcome([reply(500, 'x')])).toMatchObject({ answer: { tag: 'status', status: 500 }, calls: 3 });
  });

  test.each(['PATCH', 'POST', 'DELETE', 'PUT'] as const)('%s is never repeated', async (method) => {
    for (const step of [lost, reply(503, ''), reply(429, '', { 'retry-after': '1' })]) {
      expect((await outcome([step, good], { method })).calls).toBe(1);
    }
  });

  test.each([400, 403, 404, 409])('%i is an answer, and not repeated', async (status) => {
    expect(await outcome([reply(status, 'no')])).toMatchObject({
      answer: { tag: 'status', status, body: 'no' },
      calls: 1,
    });
  });

  test('Retry-After is honoured where it fits into the time left, and told where not', async () => {
    const wait = reply(503, '', { 'retry-after': '7' });
    expect(await outcome([wait, good])).toMatchObject({ answer: { tag: 'ok' }, ms: 7_000 });
    const late = await outcome([wait, good], {}, context(5_000));
    expect(late).toMatchObject({ answer: { tag: 'status', retryAfterMs: 7_000 }, calls: 1, ms: 0 });
  });

  test('a certificate that is not trusted is not tried again', async () => {
    const blocked = new SendError('trust', false, 'the file of trusted CAs /ca.pem cannot be used');
    expect(await outcome([blocked])).toMatchObject({
      answer: { tag: 'noAnswer', sent: false, failure: { kind: 'Blocked' } },
      calls: 1,
    });
  });
});

describe('time', () => {
  test('a call ends at its deadline, and says so', async () => {
    const { answer, ms } = await outcome(['hang'], { method: 'PATCH' }, context(180_000));
    expect(ms).toBe(180_000);
    expect(answer).toEqual({
      tag: 'noAnswer',
      sent: true,
      failure: { kind: 'Unreachable', message: 'FM get: no answer within 180 s' },
    });
  });

  test('an abort ends a call while it waits between two tries', async () => {
    const controller = new AbortController();
    const { host, run, clock, sent } = scripted([reply(503, '', { 'retry-after': '20' })]);
    clock.after(1_000, () => {
      controller.abort();
    });
    const { ms } = await run(jsonClient(host).call(call(), context(30_000, controller.signal)));
    expect(ms).toBe(1_000);
    expect(sent).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });
});

test('no message holds a secret, a token or a control character', async () => {
  const hostile = new SendError('broken', true, 'bad\u0000 hunter2 \u202e Bearer abcdef.ghi eyJhbGciOi.eyJzdWIi.sig');
  const { answer } = await outcome([hostile], { secrets: ['hunter2'] });
  expect(answer).toMatchObject({ failure: { message: 'FM get: bad [redacted] Bearer [redacted] [redacted]' } });
});

describe('headers', () => {
  test('those that a call wants come with the answer, and its own are sent', async () => {
    const step = reply(200, { items: [] }, { etag: 'W/"1"', 'x-other': 'no' });
    const changes = { headers: { 'if-match': 'W/"0"' }, wantHeaders: ['etag', 'location'] };
    const { answer, sent } = await outcome([step], changes);
    expect(answer).toEqual({ tag: 'ok', status: 200, value: { items: [] }, headers: { etag: 'W/"1"' } });
    expect(sent[0]?.headers).toMatchObject({ 'if-match': 'W/"0"' });
  });

  test('come with a body that is not understood, too', async () => {
    const { answer } = await outcome([reply(200, 'text', { etag: 'W/"1"' })], { wantHeaders: ['etag'] });
    expect(answer).toMatchObject({ tag: 'mismatch', headers: { etag: 'W/"1"' } });
  });

  test('a token is shown as the client says', async () => {
    const { host, run, sent } = scripted([good]);
    const tokens = { token: () => Promise.resolve({ tag: 'token' as const, token: 't-1' }), drop: () => undefined };
    await run(
      jsonClient(host, { tokens, tokenHeaders: (token) => ({ 'x-auth-token': token }) }).call(call(), context()),
    );
    expect(sent[0]?.headers).toMatchObject({ 'x-auth-token': 't-1' });
    expect(sent[0]?.headers).not.toHaveProperty('authorization');
  });
});
