import { describe, expect, it } from 'vitest';
import { matcherOf } from '../src/watch/selector.ts';

const object = {
  metadata: { name: 'a', namespace: 'team', labels: { app: 'x', tier: 'front' } },
  type: 'Opaque',
  spec: { paused: true, count: 3 },
};

describe('matcherOf', () => {
  it.each([
    ['', true],
    ['app=x', true],
    ['app==x', true],
    ['app = y', false],
    ['app!=y', true],
    ['app!=x', false],
    ['other!=x', true],
    ['app', true],
    ['!app', false],
    ['!other', true],
    ['app in (y, x)', true],
    ['app in (y)', false],
    ['other in (x)', false],
    ['app notin (y)', true],
    ['other notin (x)', true],
    ['app in (x,y),tier=front', true],
    ['tier=back,app in (x,y)', false],
  ])('label selector %j: %s', (labelSelector, expected) => {
    expect(matcherOf({ labelSelector })(object)).toBe(expected);
  });

  it.each([
    ['metadata.name=a', true],
    ['metadata.name!=a', false],
    ['metadata.name=a,type=Opaque', true],
    ['type=Other', false],
    ['spec.paused=true,spec.count=3', true],
    ['status.phase=', true],
  ])('field selector %j: %s', (fieldSelector, expected) => {
    expect(matcherOf({ fieldSelector })(object)).toBe(expected);
  });

  it('holds to the namespace', () => {
    expect(matcherOf({ namespace: 'team' })(object)).toBe(true);
    expect(matcherOf({ namespace: 'other' })(object)).toBe(false);
  });

  it('refuses what it cannot read', () => {
    expect(() => matcherOf({ labelSelector: 'a=b=c' })).toThrow('label selector: cannot read "a=b=c"');
    expect(() => matcherOf({ fieldSelector: 'nonsense' })).toThrow('field selector');
  });
});
