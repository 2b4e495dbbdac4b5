import { describe, expect, test } from 'vitest';
import { accessTo, attributesOf, covers, eventAccess, leaseAccess, watchAccess } from '../src/index.ts';

const widgets = { group: 'example.com', plural: 'widgets' };
const terms = { without: 'nothing is painted', need: 'required' } as const;

describe('a request, as an authorizer is asked about it', () => {
  test.each([
    ['GET', '/api/v1/nodes/a', 'get  nodes  a'],
    ['GET', '/api/v1/pods?limit=500', 'list  pods  '],
    ['GET', '/api/v1/namespaces/ns/pods?watch=1&resourceVersion=3', 'watch  pods ns '],
    ['GET', '/api/v1/namespaces/ns', 'get  namespaces  ns'],
    ['GET', '/api/v1/namespaces/ns/secrets?fieldSelector=metadata.name%3Dx', 'list  secrets ns x'],
    ['POST', '/apis/example.com/v1/widgets', 'create example.com widgets  '],
    ['POST', '/api/v1/namespaces/ns/pods/p/exec?command=ls', 'create  pods/exec ns p'],
    ['PUT', '/apis/example.com/v1/namespaces/ns/widgets/a', 'update example.com widgets ns a'],
    ['PATCH', '/apis/example.com/v1/widgets/a/status', 'patch example.com widgets/status  a'],
    ['DELETE', '/apis/example.com/v1/widgets/a', 'delete example.com widgets  a'],
    ['DELETE', '/apis/example.com/v1/widgets', 'deletecollection example.com widgets  '],
  ] as const)('%s %s', (method, path, told) => {
    const { verb, group, resource, namespace, name } = attributesOf({ method, path }) ?? {};
    expect([verb, group, resource, namespace, name].join(' ')).toBe(told);
  });

  test.each(['/version', '/readyz', '/api', '/apis/example.com/v1'])('%s is no resource', (path) => {
    expect(attributesOf({ method: 'GET', path })).toBeUndefined();
  });
});

describe('an access', () => {
  const asks = (method: 'GET' | 'POST' | 'PATCH', path: string) => {
    const asked = attributesOf({ method, path });
    if (asked === undefined) throw new Error(`${path} is no resource`);
    return asked;
  };

  test('covers its verbs on its resource, and no other', () => {
    const access = watchAccess(widgets, terms);
    expect(covers(access, asks('GET', '/apis/example.com/v1/widgets'))).toBe(true);
    expect(covers(access, asks('GET', '/apis/example.com/v1/widgets/a'))).toBe(false);
    expect(covers(access, asks('GET', '/apis/example.org/v1/widgets'))).toBe(false);
    expect(covers(access, asks('PATCH', '/apis/example.com/v1/widgets/a/status'))).toBe(false);
  });

  test('of a namespace covers nothing elsewhere', () => {
    const isCovered = (path: string) => eventAccess('ns').some((access) => covers(access, asks('POST', path)));
    expect(isCovered('/api/v1/namespaces/ns/events')).toBe(true);
    expect(isCovered('/api/v1/namespaces/other/events')).toBe(false);
  });

  test('to names covers a list of one of them alone', () => {
    const access = watchAccess({ group: '', plural: 'secrets' }, { ...terms, namespace: 'ns', names: ['x'] });
    expect(covers(access, asks('GET', '/api/v1/namespaces/ns/secrets?fieldSelector=metadata.name%3Dx'))).toBe(true);
    expect(covers(access, asks('GET', '/api/v1/namespaces/ns/secrets?fieldSelector=metadata.name%3Dy'))).toBe(false);
    expect(covers(access, asks('GET', '/api/v1/namespaces/ns/secrets'))).toBe(false);
  });

  test('to a lease limits all to its name but the create', () => {
    expect(leaseAccess('ns', 'l').map(({ verbs, names }) => [verbs, names])).toEqual([
      [['get', 'update'], ['l']],
      [['create'], undefined],
    ]);
  });

  test('that limits a create to names is refused', () => {
    expect(() => accessTo(widgets, ['create'], { ...terms, names: ['a'] })).toThrow('widgets: names are given');
  });
});
