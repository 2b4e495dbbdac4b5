import { describe, expect, it } from 'vitest';
import { createBench, widget, WIDGETS } from './fixtures.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };

/** A refusal: method, path, what is sent, status, and a part of its message. Seen on kube-apiserver 1.34.4. */
type Refusal = readonly [string, string, object | string | undefined, number, string, Record<string, string>?];

/** `map` and the Widget `a` are there; the Widget `dying` is being deleted. */
async function benchWithObjects() {
  const bench = createBench();
  await bench.ask('POST', WIDGETS, widget('a'));
  await bench.ask('POST', WIDGETS, widget('dying', { size: 1 }, { finalizers: ['example.com/x'] }));
  await bench.ask('DELETE', `${WIDGETS}/dying`);
  await bench.ask('POST', MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'map' }, data: { a: '1' } });
  return bench;
}

const OPTIONS: readonly Refusal[] = [
  ['POST', `${WIDGETS}?dryRun=Some`, widget('b'), 422, 'dryRun: Unsupported value: ["Some"]: supported values: "All"'],
  ['PATCH', `${WIDGETS}/a?dryRun=`, {}, 422, 'PatchOptions.meta.k8s.io "" is invalid: dryRun', MERGE],
  ['POST', `${WIDGETS}?fieldValidation=No`, widget('b'), 422, 'fieldValidation: Unsupported value: "No"'],
  ['GET', `${WIDGETS}?limit=x`, undefined, 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  ['GET', `${WIDGETS}?continue=eA&resourceVersion=1`, undefined, 400, 'not allowed when using continue'],
  ['GET', `${WIDGETS}?resourceVersionMatch=Exact`, undefined, 422, 'forbidden unless resourceVersion is provided'],
  [
    'GET',
    `${WIDGETS}?resourceVersion=0&resourceVersionMatch=Exact`,
    undefined,
    422,
    'is forbidden for resourceVersion',
  ],
  ['GET', `${WIDGETS}?sendInitialEvents=true`, undefined, 422, 'sendInitialEvents is forbidden for list'],
  ['GET', `${WIDGETS}?watch=1&continue=x`, undefined, 422, 'is forbidden when continue is provided'],
  ['GET', `${WIDGETS}/a?resourceVersion=x`, undefined, 500, 'resourceVersion: Invalid value: "x"'],
  ['GET', `${MAPS}?fieldSelector=data.a%3D1`, undefined, 400, '"data.a" is not a known field selector'],
];

const BODIES: readonly Refusal[] = [
  ['POST', WIDGETS, widget('b', {}, { resourceVersion: '1' }), 500, 'resourceVersion should not be set'],
  ['POST', WIDGETS, widget('dying'), 409, 'object is being deleted: widgets.example.com "dying" already exists'],
  ['POST', WIDGETS, { ...widget('b'), kind: 'Gizmo' }, 422, 'kind: Invalid value: "Gizmo": must be Widget'],
  ['POST', MAPS, { kind: 'Gizmo' }, 400, 'no kind "Gizmo" is registered for version "v1"'],
  ['POST', MAPS, { metadata: { name: 'b' }, data: { a: 'x'.repeat(2 ** 20 + 1) } }, 422, '[]: Too long'],
  ['POST', WIDGETS, 'x'.repeat(3 * 2 ** 20 + 1), 413, 'Request entity too large: limit is 3145728'],
  ['PUT', `${WIDGETS}/a`, widget('a', { size: 1 }, { resourceVersion: 'x' }), 500, 'strconv.ParseUint: parsing "x"'],
  ['PUT', `${WIDGETS}/a`, widget('a', { size: 1 }, { resourceVersion: '0' }), 422, 'must be specified for an update'],
  ['PUT', `${WIDGETS}/a`, widget(''), 400, 'the name of the object (a based on URL) was undeterminable'],
  ['PATCH', `${MAPS}/map`, { metadata: { namespace: 'x' } }, 400, 'does not match the namespace sent', MERGE],
  ['PATCH', `${WIDGETS}/a`, { metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' } }, 422, 'immutable', MERGE],
  ['PATCH', `${WIDGETS}/a`, '7', 400, 'cannot unmarshal number into Go value of type map[string]interface {}', MERGE],
  ['PATCH', `${WIDGETS}/a`, '{}', 400, 'unmarshal object into Go value of type []handlers.jsonPatchOp', JSON_PATCH],
  ['PATCH', `${MAPS}/map`, '{}', 415, '415: Unsupported Media Type'],
  ['DELETE', `${WIDGETS}/a`, { propagationPolicy: 'Orphan', orphanDependents: true }, 422, 'cannot be both set'],
  ['DELETE', `${WIDGETS}/a`, '7', 400, "couldn't get version/kind; json parse error"],
  ['DELETE', `${WIDGETS}/a`, { dryRun: 'All' }, 400, 'DeleteOptions.dryRun of type []string'],
  [
    'DELETE',
    `${WIDGETS}/a/status`,
    undefined,
    405,
    'delete is not supported on resources of kind "widgets.example.com"',
  ],
];

const METADATA: readonly Refusal[] = [
  ['POST', WIDGETS, widget('b', {}, { labels: { 'a/b/c': 'd' } }), 422, 'a qualified name must consist of'],
  ['POST', WIDGETS, widget('b', {}, { labels: { 'A.b/c': 'd' } }), 422, 'prefix part a lowercase RFC 1123 subdomain'],
  ['POST', WIDGETS, widget('b', {}, { labels: { ['x'.repeat(64)]: 'd' } }), 422, 'name part must be no more than 63'],
  ['POST', WIDGETS, widget('b', {}, { annotations: { a: 'x'.repeat(2 ** 18) } }), 422, 'annotations: Too long'],
  ['POST', WIDGETS, { ...widget('b'), metadata: { generateName: 'B_' } }, 422, 'metadata.generateName: Invalid value'],
];

const FORMS: readonly Refusal[] = [
  ['GET', WIDGETS, undefined, 406, 'application/vnd.kubernetes.protobuf', { accept: 'text/plain' }],
  ['GET', MAPS, undefined, 406, '406: Not Acceptable', { accept: 'text/plain' }],
  ['GET', WIDGETS, undefined, 406, 'requested object is a list', partial('PartialObjectMetadata')],
  ['GET', `${WIDGETS}/a`, undefined, 500, 'content is not a list', partial('PartialObjectMetadataList')],
  ['GET', `${WIDGETS}?includeObject=x`, undefined, 400, 'includeObject: Invalid value: "x"', partial('Table')],
];

function partial(as: string) {
  return { accept: `application/json;as=${as};v=v1;g=meta.k8s.io` };
}

const CASES = [...OPTIONS, ...BODIES, ...METADATA, ...FORMS].map((refusal) => {
  const [method, path, body, code] = refusal;
  return { title: `${method} ${path} of ${JSON.stringify(body ?? '').slice(0, 80)} gets ${String(code)}`, refusal };
});

describe('a refusal is the one of the real server', () => {
  it.each(CASES)('$title', async ({ refusal: [method, path, body, code, text, headers] }) => {
    const { ask } = await benchWithObjects();
    const answer = await ask(method, path, body, headers);
    expect(answer.status).toBe(code);
    expect(answer.body).toMatchObject({ kind: 'Status', code, message: expect.stringContaining(text) as string });
  });

  it.each(['/api/v2', '/apis/apps/v2/deployments', `${MAPS}/map/nothing`, `${WIDGETS}/a/nothing`])(
    '%s: 404 as a Status',
    async (path) => {
      const { ask } = await benchWithObjects();
      expect((await ask('GET', path)).body).toMatchObject({ kind: 'Status', code: 404 });
    },
  );
});
