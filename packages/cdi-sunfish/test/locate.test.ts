import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sameUuid } from '../src/uuid.ts';
import { contextOf, openRedfish } from './support/fabric.ts';

const swapped = (uuid: string) => {
  const [a = '', b = '', c = '', ...rest] = uuid.split('-');
  return [a, b, c]
    .map((part) => (part.match(/../g) ?? []).reverse().join(''))
    .concat(rest)
    .join('-');
};

describe('a UUID', () => {
  test('is the same in any case, and with the bytes of older firmware', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(sameUuid(uuid, uuid.toUpperCase())).toBe(true);
        expect(sameUuid(swapped(uuid), uuid)).toBe(true);
      }),
    );
  });

  test('of zeros is none', () => {
    const nil = '00000000-0000-0000-0000-000000000000';
    expect(sameUuid(nil, nil)).toBe(false);
  });
});

describe('the machine of a node', () => {
  const fabric = openRedfish();
  const [first = '', second = ''] = fabric.machines;
  test.each([
    ['its system UUID', { systemUuid: first }, first],
    ['the end of its providerID', { providerId: `redfish:///${second}` }, second],
    ['its annotation', { annotations: { 'cohdi.io/redfish-system': 'System-7' }, systemUuid: first }, 'System-7'],
  ])('is found by %s', async (_, facts, machine) => {
    const node = { name: 'worker', annotations: {}, ...facts };
    const found = await fabric.settle(fabric.provider.locate(node, contextOf(fabric.provider)));
    expect(found).toEqual({ tag: 'machine', machine });
  });

  test('is unknown where nothing fits, and an annotation that is no id is told', async () => {
    const { provider, settle } = fabric;
    const none = { name: 'worker', annotations: {} };
    expect(await settle(provider.locate(none, contextOf(provider)))).toMatchObject({ tag: 'unmapped' });
    const bad = { name: 'worker', annotations: { 'cohdi.io/redfish-system': '../Systems' } };
    expect(await settle(provider.locate(bad, contextOf(provider)))).toMatchObject({ failure: { kind: 'Blocked' } });
  });
});
