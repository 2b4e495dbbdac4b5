import { describe, expect, it } from 'vitest';
import { fieldIs } from '../src/client/field-selector.ts';
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

  it.each(['a', 'a,type=Opaque', 'a\\,type!=Opaque', 'a\\', '\\\\,=', '', 'x==y'])(
    'a field selector for the value %j selects what has exactly that, and nothing else',
    (name) => {
      const test = matcherOf({ fieldSelector: fieldIs('metadata.name', name) });
      expect(test({ metadata: { name } })).toBe(true);
      for (const other of ['a', 'b', `${name}x`])
        expect(test({ metadata: { name: other }, type: 'Opaque' })).toBe(other === name);
    },
  );

  it('what would begin another requirement is escaped as the API server reads it', () => {
    expect(fieldIs('spec.nodeName', 'n-0,metadata.name=x\\')).toBe('spec.nodeName=n-0\\,metadata.name\\=x\\\\');
    expect(fieldIs('spec.nodeName', 'worker-0.example.com')).toBe('spec.nodeName=worker-0.example.com');
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
