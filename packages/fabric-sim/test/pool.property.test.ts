import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConnectionLost, makeGpus, type FabricEvent } from '@cro/fabric-sim';
import { at, logIn, makeFabric, MODEL } from './support/client.ts';

const gpus = makeGpus(4, MODEL);

/** One thing that somebody does to the fabric; `wait` lets time pass, so that changes overlap in many ways. */
const step = fc.oneof(
  fc.record({ tag: fc.constant('attach' as const), machine: fc.nat(2), count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ tag: fc.constant('detach' as const), machine: fc.nat(2), device: fc.nat(3) }),
  fc.record({ tag: fc.constant('move' as const), machine: fc.option(fc.nat(2)), device: fc.nat(3) }),
  fc.record({ tag: fc.constant('lose' as const) }),
  fc.record({ tag: fc.constant('wait' as const), ms: fc.nat(150) }),
);

describe('whatever is asked of the fabric, in whatever order', () => {
  it('each device is in one place, the events tell the same story, and all can be given back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { clock, sim, machine } = makeFabric({ attachMs: { fromMs: 10, toMs: 100 }, detachMs: 40 });
        const client = await logIn(sim);
        const told = new Map<string, string>();
        sim.subscribe((event) => {
          retell(told, event);
        });
        const answers: Promise<unknown>[] = [];
        const ask = (answer: Promise<unknown>) => {
          const lost = (error: unknown) => {
            expect(error).toBeInstanceOf(ConnectionLost);
          };
          answers.push(answer.catch(lost));
        };
        for (const one of steps) {
          if (one.tag === 'attach') ask(client.attach(machine(one.machine), one.count));
          if (one.tag === 'detach') ask(client.detach(machine(one.machine), at(gpus, one.device).resUuid));
          if (one.tag === 'lose') sim.faults.add({ effect: { tag: 'loseReply', when: 'afterChange' } });
          if (one.tag === 'wait') await clock.advance(one.ms);
          if (one.tag === 'move') {
            sim.move(at(gpus, one.device).resUuid, one.machine === null ? undefined : machine(one.machine));
          }
          expectOnePlaceEach(sim.snapshot());
        }
        const all = Promise.all(answers);
        await clock.advance(60_000);
        await all;
        const { machines, reserved } = sim.snapshot();
        expect(reserved).toEqual([]);
        const seen = Object.entries(machines).flatMap(([uuid, devices]) =>
          devices.map((device) => [device, uuid] as const),
        );
        expect(new Map(seen)).toEqual(told);
        for (const [device] of seen) sim.move(device, undefined);
        sim.assertPoolWhole();
      }),
      { numRuns: 150 },
    );
  });
});

function retell(told: Map<string, string>, { tag, machine, device }: FabricEvent): void {
  if (tag === 'attached') {
    expect(told.has(device.resUuid)).toBe(false);
    told.set(device.resUuid, machine);
  } else {
    expect(told.get(device.resUuid)).toBe(machine);
    told.delete(device.resUuid);
  }
}

function expectOnePlaceEach(snapshot: {
  free: readonly string[];
  reserved: readonly string[];
  machines: Readonly<Record<string, readonly string[]>>;
}): void {
  const all = [...snapshot.free, ...snapshot.reserved, ...Object.values(snapshot.machines).flat()];
  expect(all.sort()).toEqual(gpus.map((gpu) => gpu.resUuid).sort());
}
