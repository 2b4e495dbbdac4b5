import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Indexes } from '../src/watch/indexes.ts';

const values = fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 4 });
const change = fc.record({ key: fc.constantFrom('a', 'b', 'c'), next: fc.option(values, { nil: undefined }) });

it('Indexes say the same as a search through all objects', () => {
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const indexes = new Indexes<readonly string[]>({ it: (object) => object });
      const objects = new Map<string, readonly string[]>();
      for (const { key, next } of changes) {
        indexes.move(key, objects.get(key), next);
        if (next === undefined) objects.delete(key);
        else objects.set(key, next);
        for (const value of ['x', 'y', 'z']) {
          const expected = [...objects].filter(([, object]) => object.includes(value)).map(([name]) => name);
          expect([...indexes.keys('it', value)].sort()).toEqual(expected.sort());
        }
      }
    }),
  );
});
