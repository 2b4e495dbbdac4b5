import { describe, expect, it } from 'vitest';
import { json, status } from './support/tiny-server.ts';
import { widgets } from './support/widget.ts';
import { world } from './support/world.ts';

type Documents = Readonly<Record<string, unknown>>;

const page = { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found\n' };

/** A server that answers these documents, and a page of text for every other path. */
function serving(documents: Documents) {
  const all = world();
  all.server.intercept = ({ path }) => (path in documents ? json(200, documents[path]) : page);
  return all;
}

const group = (...versions: string[]) => ({ kind: 'APIGroup', versions: versions.map((version) => ({ version })) });
const resources = (...names: string[]) => ({ kind: 'APIResourceList', resources: names.map((name) => ({ name })) });
const lamps = { group: 'x.io', plural: 'lamps' };

describe('discovery', () => {
  it('names the versions that have the resource, in the order of the server', async () => {
    const { client } = serving({
      '/apis/x.io': group('v2', 'v1', 'v1alpha1', 'v1beta1'),
      '/apis/x.io/v2': resources('lamps', 'lamps/status'),
      '/apis/x.io/v1': resources('lamps/status', 'bulbs'),
      '/apis/x.io/v1alpha1': resources('lamps'),
    });
    expect(await client.servedVersions(lamps)).toEqual({ tag: 'read', versions: ['v2', 'v1alpha1'] });
  });

  it('of a group that is not there, or of an odd answer, names none', async () => {
    expect(await serving({}).client.servedVersions(lamps)).toEqual({ tag: 'read', versions: [] });
    const odd = serving({ '/apis/x.io': { versions: [{ version: 7 }, null, { version: 'v1' }] }, '/apis/x.io/v1': [] });
    expect(await odd.client.servedVersions(lamps)).toEqual({ tag: 'read', versions: [] });
  });

  it('does not take a failure for an answer', async () => {
    const all = serving({ '/apis/x.io': group('v1') });
    const { intercept } = all.server;
    all.server.intercept = (request) =>
      request.path === '/apis/x.io/v1' ? status(403, 'Forbidden', 'not you') : intercept(request);
    expect(await all.client.servedVersions(lamps)).toMatchObject({ tag: 'failed', error: { status: 403 } });
    all.server.intercept = () => ({ status: 200, headers: {}, body: '<html>' });
    expect(await all.client.servedVersions(lamps)).toMatchObject({ tag: 'failed', error: { reason: 'Malformed' } });
    all.server.intercept = () => Promise.reject(new Error('read ECONNRESET'));
    expect(await all.client.servedVersions(lamps)).toMatchObject({ tag: 'failed', error: { reason: 'NoAnswer' } });
    expect(await all.client.serverVersion()).toMatchObject({ tag: 'failed', error: { reason: 'NoAnswer' } });
  });

  it('reads the version of the server, where a distribution adds to it too', async () => {
    const of = (major: unknown, minor: unknown) =>
      serving({ '/version': { major, minor, gitVersion: 'v1.34.4' } }).client.serverVersion();
    expect(await of('1', '34')).toEqual({ tag: 'read', major: 1, minor: 34 });
    expect(await of('1', '37+')).toEqual({ tag: 'read', major: 1, minor: 37 });
    expect(await of('1', '')).toMatchObject({ tag: 'failed', error: { reason: 'Malformed' } });
  });

  it('tells an object that is missing from a kind that is not served', async () => {
    const { client, server } = world();
    const ref = { name: 'a', namespace: 'default' };
    expect(await client.get(widgets, ref)).toEqual({ tag: 'notFound' });
    expect(await client.delete(widgets, ref)).toEqual({ tag: 'notFound' });
    server.intercept = () => status(404, 'NotFound', 'the server could not find the requested resource');
    expect(await client.get(widgets, ref)).toEqual({ tag: 'notFound', unserved: true });
    server.intercept = () => page;
    const unserved = { tag: 'notFound', unserved: true };
    expect(await client.get(widgets, ref)).toEqual(unserved);
    expect(await client.delete(widgets, ref)).toEqual(unserved);
    expect(await client.create(widgets, { metadata: ref })).toEqual(unserved);
  });
});
