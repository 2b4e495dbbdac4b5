import { describe, expect, it } from 'vitest';
import { createBench, widget, WIDGETS } from './fixtures.ts';
import { stringAt } from '../src/base/json.ts';

const version = (object: Parameters<typeof stringAt>[0]) => stringAt(object, 'metadata', 'resourceVersion') ?? '';

describe('creation', () => {
  it('gives the metadata of a new object, and drops the status', async () => {
    const { ask } = createBench();
    const created = await ask('POST', WIDGETS, { ...widget('a'), status: { state: 'mine' } });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'a', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { size: 1, colour: 'red' },
    });
    expect(created.body).not.toHaveProperty('status');
    const uid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;
    expect(stringAt(created.body, 'metadata', 'uid')).toMatch(uid);
    expect(Number(version(created.body))).toBeGreaterThan(0);
    expect((await ask('GET', `${WIDGETS}/a`)).body).toEqual(created.body);
  });

  it('is refused for a name that is taken, and the text is the API server’s', async () => {
    const { ask } = createBench();
    await ask('POST', WIDGETS, widget('a'));
    expect((await ask('POST', WIDGETS, widget('a'))).body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'widgets.example.com "a" already exists',
      reason: 'AlreadyExists',
      details: { name: 'a', group: 'example.com', kind: 'widgets' },
      code: 409,
    });
  });

  it('completes a generateName', async () => {
    const { ask } = createBench();
    const body = { ...widget(''), metadata: { generateName: 'w-' } };
    const names = [await ask('POST', WIDGETS, body), await ask('POST', WIDGETS, body)].map((answer) =>
      stringAt(answer.body, 'metadata', 'name'),
    );
    expect(names[0]).toMatch(/^w-[a-z0-9]{5}$/u);
    expect(names[1]).not.toBe(names[0]);
  });

  it.each([
    ['Upper', '422 metadata.name: Invalid value: "Upper": a lowercase RFC 1123 subdomain'],
    ['', '422 metadata.name: Required value: name or generateName is required'],
  ])('refuses the name %j', async (name, text) => {
    const { ask } = createBench();
    const answer = await ask('POST', WIDGETS, widget(name));
    expect(`${String(answer.status)} ${String(answer.body['message']).replace(/^.*is invalid: \[?/u, '')}`).toContain(
      text,
    );
  });

  it('wants the namespace to exist, and to be the one of the request', async () => {
    const { ask } = createBench();
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
    const missing = await ask('POST', '/api/v1/namespaces/nowhere/configmaps', map);
    expect([missing.status, missing.body['message']]).toEqual([404, 'namespaces "nowhere" not found']);
    const other = await ask('POST', '/api/v1/namespaces/default/configmaps', {
      ...map,
      metadata: { name: 'a', namespace: 'kube-system' },
    });
    expect([other.status, other.body['reason']]).toEqual([400, 'BadRequest']);
    const right = await ask('POST', '/api/v1/namespaces/default/configmaps', map);
    expect(stringAt(right.body, 'metadata', 'namespace')).toBe('default');
  });

  it.each([
    ['{', '', "couldn't get version/kind; json parse error: unexpected end of JSON input ({)"],
    ['[]', '', '(5b5d)'],
    ['{"apiVersion":"example.com/v1"}', '', "Object 'Kind' is missing"],
    ['{"apiVersion":"example.com/v2","kind":"Widget"}', '', 'does not match the expected API version (example.com/v1)'],
    ['{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"labels":{"a":1}}}', '', 'cannot unmarshal number'],
    ['apiVersion: [', 'application/yaml', 'the object provided is unrecognized (must be of type Widget): yaml: '],
  ])('refuses the body %s', async (body, type, text) => {
    const { ask } = createBench();
    const answer = await ask('POST', WIDGETS, body, type === '' ? {} : { 'content-type': type });
    expect(answer.status).toBe(400);
    expect(answer.body['message']).toContain(text);
  });

  it('reads YAML, and no other media types', async () => {
    const { ask } = createBench();
    const yaml = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: y}\nspec: {size: 2}\n';
    expect((await ask('POST', WIDGETS, yaml, { 'content-type': 'application/yaml' })).status).toBe(201);
    expect((await ask('POST', WIDGETS, yaml, { 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('puts the stringData of a Secret into its data', async () => {
    const { ask } = createBench();
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      stringData: { a: 'ä' },
      data: { b: 'Yg==' },
    };
    const created = await ask('POST', '/api/v1/namespaces/default/secrets', secret);
    expect(created.body).toMatchObject({ type: 'Opaque', data: { a: 'w6Q=', b: 'Yg==' } });
    expect(created.body).not.toHaveProperty('stringData');
  });
});

describe('replacement', () => {
  it('counts generations of the spec, and leaves the status alone', async () => {
    const { ask } = createBench();
    const { body: created } = await ask('POST', WIDGETS, widget('a'));
    const changed = await ask('PUT', `${WIDGETS}/a`, { ...created, spec: { size: 2 }, status: { state: 'mine' } });
    expect(changed.body).toMatchObject({ metadata: { generation: 2 }, spec: { size: 2 } });
    expect(changed.body).not.toHaveProperty('status');
    const labelled = await ask('PUT', `${WIDGETS}/a`, {
      ...changed.body,
      metadata: { name: 'a', labels: { x: 'y' }, resourceVersion: version(changed.body) },
    });
    expect(labelled.body).toMatchObject({ metadata: { generation: 2, labels: { x: 'y' } } });
  });

  it('through /status changes the status only', async () => {
    const { ask } = createBench();
    const { body: created } = await ask('POST', WIDGETS, widget('a'));
    const answer = await ask('PUT', `${WIDGETS}/a/status`, {
      ...created,
      metadata: { ...(created['metadata'] as object), labels: { x: 'y' } },
      spec: { size: 7 },
      status: { state: 'On' },
    });
    expect(answer.body).toMatchObject({ spec: { size: 1 }, status: { state: 'On' }, metadata: { generation: 1 } });
    expect(answer.body['metadata']).not.toHaveProperty('labels');
  });

  it('writes nothing when nothing changes', async () => {
    const { ask } = createBench();
    const { body: created } = await ask('POST', WIDGETS, widget('a'));
    const same = await ask('PUT', `${WIDGETS}/a`, created);
    expect([same.status, version(same.body)]).toEqual([200, version(created)]);
  });

  it('refuses an old version, another uid, and no version', async () => {
    const { ask } = createBench();
    const { body: created } = await ask('POST', WIDGETS, widget('a'));
    await ask('PUT', `${WIDGETS}/a`, { ...created, spec: { size: 2 } });
    const stale = await ask('PUT', `${WIDGETS}/a`, { ...created, spec: { size: 3 } });
    expect(stale.body).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on widgets.example.com "a": the object has been modified; please apply your changes to the latest version and try again',
      details: { name: 'a', group: 'example.com', kind: 'widgets' },
    });
    const other = await ask('PUT', `${WIDGETS}/a`, {
      ...widget('a'),
      metadata: { name: 'a', uid: 'x', resourceVersion: '1' },
    });
    expect(other.status).toBe(409);
    expect(other.body['message']).toContain('Precondition failed: UID in precondition: x, UID in object meta: ');
    const none = await ask('PUT', `${WIDGETS}/a`, widget('a'));
    expect([none.status, none.body['message']]).toEqual([
      422,
      'widgets.example.com "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    ]);
  });

  it('refuses a name that is not the one in the URL, and an object that is not there', async () => {
    const { ask } = createBench();
    const wrong = await ask('PUT', `${WIDGETS}/a`, widget('b'));
    expect(wrong.body['message']).toBe('the name of the object (b) does not match the name on the URL (a)');
    expect((await ask('PUT', `${WIDGETS}/a`, widget('a'))).status).toBe(404);
  });
});

describe('a dry run', () => {
  it('answers what would be, and changes nothing', async () => {
    const { ask, sim } = createBench();
    const created = await ask('POST', `${WIDGETS}?dryRun=All`, widget('a'));
    expect([created.status, sim.objects.count('widgets.example.com')]).toEqual([201, 0]);
    await ask('POST', WIDGETS, widget('a'));
    const patched = await ask(
      'PATCH',
      `${WIDGETS}/a?dryRun=All`,
      { spec: { size: 5 } },
      { 'content-type': 'application/merge-patch+json' },
    );
    expect(patched.body).toMatchObject({ spec: { size: 5 } });
    await ask('DELETE', `${WIDGETS}/a?dryRun=All`);
    expect((await ask('GET', `${WIDGETS}/a`)).body).toMatchObject({ spec: { size: 1 } });
  });
});
