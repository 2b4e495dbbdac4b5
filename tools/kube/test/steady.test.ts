import { expect, test } from 'vitest';
import { steadyValue } from './kube/conformance/steady.ts';

test.each(['name', 'resource'])('the order in which a group tells its resources does not count, by %s', (field) => {
  const [one, other] = [{ [field]: 'composableresources' }, { [field]: 'composabilityrequests' }];
  expect(steadyValue({ resources: [one, other] })).toEqual(steadyValue({ resources: [other, one] }));
  expect(steadyValue({ resources: [one, other] })).not.toEqual(steadyValue({ resources: [one, one] }));
});

test('any other order counts', () => {
  expect(steadyValue({ items: [{ name: 'a' }, { name: 'b' }] })).not.toEqual(
    steadyValue({ items: [{ name: 'b' }, { name: 'a' }] }),
  );
  const rule = (resources: readonly string[]) => steadyValue({ rules: [{ resources }] });
  expect(rule(['pods', 'nodes'])).not.toEqual(rule(['nodes', 'pods']));
});
