import fc from 'fast-check';
import { expect, test } from 'vitest';
import { furtherRuleNames, taintRuleName, taintRulesFor } from '../../src/fence/new-rule.ts';

/** What the API server takes as the name of an object (apimachinery, `IsDNS1123Subdomain`). */
const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LONGEST = 253;

test('a rule is named after its resource, as the Go operator does', () => {
  expect(taintRuleName('gpu-1')).toBe('gpu-1-taint');
  expect(furtherRuleNames('gpu-1', 2)).toEqual(['gpu-1-taint-2', 'gpu-1-taint-3']);
});

test('a resource may have any name: its rules have names that the API server takes, and nobody else’s', () => {
  const name = fc
    .string({ unit: fc.constantFrom('a', '0', '-', '.'), minLength: 1, maxLength: LONGEST })
    .map((text) => text.padEnd(LONGEST, 'a').slice(0, LONGEST))
    .filter((text) => NAME.test(text));
  const longest = 'a'.repeat(LONGEST);
  fc.assert(
    fc.property(fc.oneof(name, fc.constant(longest)), fc.integer({ min: 1, max: LONGEST }), (one, length) => {
      const other = `${one.slice(0, -1)}b`;
      const names = [one, other, one.slice(0, length)]
        .filter((text) => NAME.test(text))
        .flatMap((resource) => [taintRuleName(resource), furtherRuleNames(resource, 128).at(-1) ?? '']);
      for (const rule of names) {
        expect(rule.length).toBeLessThanOrEqual(LONGEST);
        expect(rule).toMatch(NAME);
      }
      expect(taintRuleName(one)).not.toBe(taintRuleName(other));
    }),
  );
});

test('whatever a fabric or a node calls a device, the rule has a value that the API server takes', () => {
  const place = { driver: 'gpu.nvidia.com', pool: 'worker-0', device: 'gpu-0' };
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (deviceId) => {
      const [rule] = taintRulesFor({ node: 'worker-0', deviceId, resource: { name: 'gpu-1', uid: 'u' } }, [place]);
      expect(rule?.spec.taint.value).toMatch(/^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/);
      expect(rule?.spec.taint.value.length).toBeLessThanOrEqual(63);
    }),
  );
});
