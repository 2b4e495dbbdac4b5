import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBench, widget, WIDGETS } from './fixtures.ts';
import { applyJsonPatch } from '../src/patch/json-patch.ts';
import { applyMergePatch } from '../src/patch/merge-patch.ts';
import { applyStrategicPatch } from '../src/patch/strategic-patch.ts';
import type { JsonObject, JsonValue } from '../src/index.ts';

const MERGE = { 'content-type': 'application/merge-patch+json' };
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
const STRATEGIC = { 'content-type': 'application/strategic-merge-patch+json' };

describe('a JSON patch', () => {
  it('is applied whole', async () => {
    const { ask } = createBench();
    await ask('POST', WIDGETS, widget('a'));
    const answer = await ask(
      'PATCH',
      `${WIDGETS}/a`,
      [
        { op: 'test', path: '/spec/size', value: 1 },
        { op: 'replace', path: '/spec/size', value: 2 },
        { op: 'add', path: '/metadata/labels', value: { x: 'y' } },
      ],
      JSON_PATCH,
    );
    expect(answer.body).toMatchObject({ spec: { size: 2 }, metadata: { labels: { x: 'y' }, generation: 2 } });
  });

  it.each([
    [{ op: 'test', path: '/spec/size', value: 2 }],
    [{ op: 'test', path: '/status/operation/id', value: 'x' }],
    [{ op: 'remove', path: '/spec/nothing' }],
    [{ op: 'replace', path: '/nothing/deep', value: 1 }],
    [{ op: 'fly', path: '/spec' }],
  ])('that cannot be applied is refused whole: %j', async (operation) => {
    const { ask } = createBench();
    await ask('POST', WIDGETS, widget('a'));
    const answer = await ask(
      'PATCH',
      `${WIDGETS}/a`,
      [{ op: 'replace', path: '/spec/size', value: 9 }, operation],
      JSON_PATCH,
    );
    expect(answer.body).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
    });
    expect((await ask('GET', `${WIDGETS}/a`)).body).toMatchObject({ spec: { size: 1 } });
  });

  it('that replaces what is not there adds it, as the real server does', async () => {
    const { ask } = createBench();
    await ask('POST', WIDGETS, widget('a'));
    const replaces = [
      { op: 'add', path: '/metadata/labels', value: {} },
      { op: 'replace', path: '/metadata/labels/x', value: 'y' },
    ];
    const answer = await ask('PATCH', `${WIDGETS}/a`, replaces, JSON_PATCH);
    expect(answer.body).toMatchObject({ metadata: { labels: { x: 'y' } } });
  });

  it.each([
    ['name', 'b', 400, 'the name of the object (b) does not match the name on the URL (a)'],
    ['uid', 'x', 422, 'Widget.example.com "a" is invalid: metadata.uid: Invalid value: "x": field is immutable'],
  ])('cannot change the %s', async (field, value, status, message) => {
    const { ask } = createBench();
    await ask('POST', WIDGETS, widget('a'));
    const change = [{ op: 'replace', path: `/metadata/${field}`, value }];
    const answer = await ask('PATCH', `${WIDGETS}/a`, change, JSON_PATCH);
    expect([answer.status, answer.body['message']]).toEqual([status, message]);
  });

  it.each([['{}'], ['[1]'], ['[']])('that is none is a bad request: %s', async (body) => {
    const { ask } = createBench();
    await ask('POST', WIDGETS, widget('a'));
    const answer = await ask('PATCH', `${WIDGETS}/a`, body, JSON_PATCH);
    expect([answer.status, String(answer.body['message']).startsWith('error decoding patch: ')]).toEqual([400, true]);
  });
});

describe('a merge patch', () => {
  it('with a resourceVersion holds to it', async () => {
    const { ask } = createBench();
    await ask('POST', WIDGETS, widget('a'));
    const stale = await ask('PATCH', `${WIDGETS}/a`, { metadata: { resourceVersion: '1' }, spec: { size: 2 } }, MERGE);
    expect([stale.status, stale.body['reason']]).toEqual([409, 'Conflict']);
  });

  it('of the status leaves the spec alone', async () => {
    const { ask } = createBench();
    await ask('POST', WIDGETS, widget('a'));
    const answer = await ask('PATCH', `${WIDGETS}/a/status`, { spec: { size: 5 }, status: { state: 'On' } }, MERGE);
    expect(answer.body).toMatchObject({ spec: { size: 1 }, status: { state: 'On' } });
  });

  it('of what is not there is not found', async () => {
    const { ask } = createBench();
    expect((await ask('PATCH', `${WIDGETS}/a`, {}, MERGE)).status).toBe(404);
  });

  // JSON text knows no negative zero.
  const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
  const object = fc.dictionary(fc.constantFrom('a', 'b', 'c'), json) as fc.Arbitrary<JsonObject>;

  it('takes back nothing when applied twice', () => {
    fc.assert(
      fc.property(object, object, (target, patch) => {
        const once = applyMergePatch(target, patch);
        expect(applyMergePatch(once, patch)).toEqual(once);
      }),
    );
  });

  it('and a JSON patch that replaces the whole field agree', () => {
    fc.assert(
      fc.property(object, fc.string(), (target, value) => {
        const merged = applyMergePatch(target, { a: value });
        const patched = applyJsonPatch(target, [{ op: 'add', path: '/a', value }]);
        expect(patched).toEqual({ ok: true, value: merged });
      }),
    );
  });
});

describe('a strategic merge patch', () => {
  const old: JsonObject = {
    spec: {
      containers: [
        { name: 'a', image: '1' },
        { name: 'b', image: '1' },
      ],
      nodeName: 'n',
      taints: [{ key: 'x' }],
    },
    metadata: { finalizers: ['one'] },
  };

  it.each<[JsonObject, JsonObject]>([
    [
      { spec: { containers: [{ name: 'b', image: '2' }] } },
      {
        spec: {
          ...(old['spec'] as JsonObject),
          containers: [
            { name: 'a', image: '1' },
            { name: 'b', image: '2' },
          ],
        },
      },
    ],
    [
      { spec: { containers: [{ name: 'a', $patch: 'delete' }] } },
      { spec: { ...(old['spec'] as JsonObject), containers: [{ name: 'b', image: '1' }] } },
    ],
    [
      { spec: { containers: [{ name: 'c' }, { $patch: 'replace' }] } },
      { spec: { ...(old['spec'] as JsonObject), containers: [{ name: 'c' }] } },
    ],
    [{ spec: { taints: [{ key: 'y' }] } }, { spec: { ...(old['spec'] as JsonObject), taints: [{ key: 'y' }] } }],
    [{ spec: { $patch: 'replace', nodeName: 'm' } }, { spec: { nodeName: 'm' } }],
    [{ spec: { $retainKeys: ['nodeName'], nodeName: 'm' } }, { spec: { nodeName: 'm' } }],
    [{ metadata: { finalizers: ['two'] } }, { metadata: { finalizers: ['two', 'one'] } }],
    [{ metadata: { '$deleteFromPrimitiveList/finalizers': ['one'] } }, { metadata: { finalizers: [] } }],
    [{ spec: null }, { metadata: { finalizers: ['one'] } }],
  ])('%j', (patch, expected) => {
    const result = applyStrategicPatch(old, patch);
    for (const [key, value] of Object.entries(expected)) expect(result[key]).toEqual(value);
    if (patch['spec'] === null) expect(result).not.toHaveProperty('spec');
  });

  it('works on built-in kinds only', async () => {
    const { ask, sim } = createBench();
    sim.objects.put({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
    await ask('POST', WIDGETS, widget('a'));
    const node = await ask('PATCH', '/api/v1/nodes/n', { spec: { unschedulable: true } }, STRATEGIC);
    expect(node.body).toMatchObject({ spec: { unschedulable: true } });
    const refused = await ask('PATCH', `${WIDGETS}/a`, { spec: {} }, STRATEGIC);
    expect([refused.status, refused.body['message']]).toEqual([
      415,
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    ]);
  });
});

it('server-side apply is refused in clear words', async () => {
  const { ask } = createBench();
  const answer = await ask('PATCH', `${WIDGETS}/a?fieldManager=me`, 'x', {
    'content-type': 'application/apply-patch+yaml',
  });
  expect([answer.status, answer.body['message']]).toEqual([
    415,
    'server-side apply is not supported by this server; apply on the client side instead',
  ]);
});
