import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contextOf, MODEL, openFabric } from './support/fabric.ts';
import {
  always,
  attachOne,
  attachRequest,
  detachRequest,
  prepared,
  resumed,
  started,
  ticketFor,
} from './support/steps.ts';

const status = fc.constantFrom(200, 201, 204, 302, 400, 401, 403, 404, 408, 409, 418, 429, 500, 502, 503);
const resource = fc.record(
  {
    res_uuid: fc.oneof(fc.constantFrom('a', '../x', ''), fc.jsonValue()),
    res_type: fc.oneof(fc.constantFrom('gpu', 'mem'), fc.jsonValue()),
    res_serial_num: fc.jsonValue(),
    res_op_status: fc.jsonValue(),
    res_spec: fc.oneof(fc.jsonValue(), fc.constant({ condition: [{ column: 'model', operator: 'eq', value: MODEL }] })),
  },
  { requiredKeys: [] },
);
const machine = fc.record(
  { mach_uuid: fc.jsonValue(), resources: fc.oneof(fc.array(resource), fc.jsonValue()) },
  { requiredKeys: [] },
);
const body = fc.oneof(
  fc.record({ json: fc.oneof(fc.record({ data: fc.record({ machines: fc.array(machine) }) }), fc.jsonValue()) }),
  fc.record({
    json: fc.record({ status: fc.jsonValue(), detail: fc.record({ code: fc.jsonValue(), message: fc.jsonValue() }) }),
  }),
  fc.record({ html: fc.string({ unit: 'binary' }) }),
);

/** Fails when a text could break a log, a status field or a terminal. */
function expectClean(outcome: unknown): void {
  const { failure } = outcome as { failure?: { message: string } };
  if (failure === undefined) return;
  expect(failure.message).not.toBe('');
  expect(failure.message.length).toBeLessThan(1_000);
  expect(failure.message).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
}

test('whatever FM answers to a read, the answer is typed, clean and changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(status, body, async (code, content) => {
      const fabric = openFabric();
      const ticket = await ticketFor(fabric, attachRequest(fabric));
      for (const kind of ['get', 'list', 'inventory'] as const) {
        always(fabric, kind, { tag: 'answer', status: code, body: content });
      }
      const context = contextOf(fabric.provider);
      const query = { type: 'gpu', model: MODEL, machine: fabric.machine } as const;
      expectClean(await prepared(fabric, attachRequest(fabric)));
      expectClean(await prepared(fabric, detachRequest(fabric, { cdiDeviceId: 'x' })));
      expectClean(await resumed(fabric, ticket));
      expectClean(await fabric.settle(fabric.provider.inventory(query, context)));
      const { unreadable } = await fabric.settle(fabric.provider.list([fabric.machine], context));
      unreadable.forEach(expectClean);
      expect(fabric.sim.calls()).toMatchObject({ attach: 0, detach: 0 });
    }),
    { numRuns: 60 },
  );
});

test('whatever FM answers to a change, it was asked at most twice, and the answer is typed and clean', async () => {
  await fc.assert(
    fc.asyncProperty(status, body, async (code, content) => {
      const fabric = openFabric();
      const device = await attachOne(fabric);
      const up = await ticketFor(fabric, attachRequest(fabric));
      const down = await ticketFor(fabric, detachRequest(fabric, device));
      for (const kind of ['attach', 'detach'] as const)
        always(fabric, kind, { tag: 'answer', status: code, body: content });
      expectClean(await started(fabric, up));
      expectClean(await started(fabric, down));
      // Twice where 401 said that the token was not taken: nothing was done then.
      const times = code === 401 ? 2 : 1;
      expect(fabric.sim.calls()).toMatchObject({ attach: 1 + times, detach: times });
    }),
    { numRuns: 60 },
  );
});
