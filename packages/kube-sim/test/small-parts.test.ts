import { describe, expect, it } from 'vitest';
import { humanDuration } from '../src/resources/duration.ts';
import { compileJsonPath } from '../src/resources/json-path.ts';
import { compareVersions } from '../src/resources/version-order.ts';

describe('small parts', () => {
  it('versions stand in Kubernetes’ order', () => {
    const versions = ['foo10', 'v1alpha1', 'v11alpha2', 'v2', 'v10', 'v3beta1', 'v12alpha1', 'v11beta2', 'foo1', 'v1'];
    // The example of the Kubernetes documentation on versions of CustomResourceDefinitions.
    expect([...versions].sort(compareVersions)).toEqual([
      'v10',
      'v2',
      'v1',
      'v11beta2',
      'v3beta1',
      'v12alpha1',
      'v11alpha2',
      'v1alpha1',
      'foo1',
      'foo10',
    ]);
  });

  it.each([
    [119_000, '119s'],
    [125_000, '2m5s'],
    [600_000, '10m'],
    [3 * 3_600_000 + 300_000, '3h5m'],
    [47 * 3_600_000, '47h'],
    [50 * 3_600_000, '2d2h'],
    [9 * 86_400_000, '9d'],
    [800 * 86_400_000, '2y70d'],
    [-5000, '<invalid>'],
  ])('%d ms are %s', (ms, text) => {
    expect(humanDuration(ms)).toBe(text);
  });

  it.each([
    ['.a.b', [1]],
    ['a.b', [1]],
    ['.list[0].name', ['x']],
    ['.list[-1].name', ['y']],
    ['.list[*].name', ['x', 'y']],
    ['.list[?(@.name=="y")].value', [2]],
    [".a['dotted.key']", ['d']],
    ['.a.dotted\\.key', ['d']],
    ['.nothing.there', []],
    ['.[', []],
  ])('the path %s finds %j', (path, found) => {
    const object = {
      a: { b: 1, 'dotted.key': 'd' },
      list: [
        { name: 'x', value: 1 },
        { name: 'y', value: 2 },
      ],
    };
    expect(compileJsonPath(path)(object)).toEqual(found);
  });
});
