import { byBaseline, byName, exactlyOnce, type Ticket } from '@cro/cdi-core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { context, maker, toyFabric } from '../support/toy-fabric.ts';

const good: Ticket = {
  id: 'id-1',
  op: 'attach',
  provider: 'toy',
  version: 1,
  machine: 'm-1',
  holder: 'uid-1',
  phase: 'open',
  payload: { strategy: 'baseline', type: 'gpu', model: 'A100', baseline: [] },
};

test('whatever stands in a ticket, it is answered and asks nothing of the fabric', async () => {
  const fabric = toyFabric();
  const provider = exactlyOnce(byBaseline(maker, fabric), byName(maker, fabric));
  const payload = fc.oneof(
    fc.dictionary(fc.constantFrom('strategy', 'type', 'model', 'baseline', 'cdiDeviceId', 'x'), fc.jsonValue()),
    fc.jsonValue(),
  );
  const ticket = fc.record({
    op: fc.constantFrom('attach', 'detach', 'other'),
    provider: fc.constantFrom('toy', 'other', 7),
    version: fc.constantFrom(1, 2, null),
    payload,
  });
  await fc.assert(
    fc.asyncProperty(ticket, async (damage) => {
      const damaged = { ...good, ...damage } as Ticket;
      const started = await provider.start(damaged, context);
      const resumed = await provider.resume(damaged, context);
      expect(started.tag).toBe('inDoubt');
      // A damaged payload may by chance be a good one, whose device is not there.
      expect(['inDoubt', 'unchanged', 'done']).toContain(resumed.tag);
      if (started.tag === 'inDoubt' && started.failure.kind === 'Protocol') expect(resumed.tag).toBe('inDoubt');
    }),
  );
});

test.each([
  [{ provider: 'other' }, "it was made by provider 'other', this is 'toy'"],
  [{ version: 2 }, 'its version is 2, this provider reads 1'],
  [{ payload: { ...good.payload, baseline: 'none' } }, 'payload: baseline: found "none", accepted: array'],
])('a ticket with %j says what is wrong and what to do', async (damage, reason) => {
  const outcome = await byBaseline(maker, toyFabric()).resume({ ...good, ...damage }, context, []);
  expect(outcome).toMatchObject({ tag: 'inDoubt', failure: { kind: 'Protocol' } });
  expect(JSON.stringify(outcome)).toContain(JSON.stringify(reason).slice(1, -1));
  expect(JSON.stringify(outcome)).toContain('Find out on the fabric');
});
