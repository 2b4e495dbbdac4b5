import { describe, expect, it } from 'vitest';
import { makeGpus, makeMachines, seededRandom } from '@cro/fabric-sim';
import { at, logIn, makeFabric, MODEL } from './support/client.ts';

const gpus = makeGpus(4, MODEL);

describe('the hands behind the fabric', () => {
  it('move devices without a call, and tell of it', () => {
    const { sim, machine } = makeFabric();
    const told: string[] = [];
    const end = sim.subscribe(({ tag, machine: where }) => told.push(`${tag} ${where}`));
    const { resUuid } = at(gpus, 0);
    sim.move(resUuid, machine(0));
    sim.move(resUuid, machine(0));
    sim.move(resUuid, machine(1));
    expect(told).toEqual([`attached ${machine(0)}`, `detached ${machine(0)}`, `attached ${machine(1)}`]);
    end();
    sim.move(resUuid, undefined);
    expect(told).toHaveLength(3);
    expect(sim.calls()).toMatchObject({ attach: 0, detach: 0 });
  });

  it('set the health of a device, in the pool or on a machine', async () => {
    const { sim, machine } = makeFabric();
    sim.setHealth(at(gpus, 0).resUuid, '1 Warning');
    const client = await logIn(sim);
    expect((await client.attach(machine(0))).body).toContain('"res_op_status":"1 Warning"');
    sim.setHealth(at(gpus, 0).resUuid, '2');
    expect((await client.get(machine(0))).body).toContain('"res_op_status":"2"');
    expect(sim.attachedTo(machine(0))).toMatchObject([{ opStatus: '2' }]);
  });

  it('say which device is not where it began', () => {
    const { sim, machine } = makeFabric();
    const home = makeFabric({ devices: [{ ...at(gpus, 0), machine: machine(2) }] }).sim;
    home.assertPoolWhole();
    home.move(at(gpus, 0).resUuid, undefined);
    expect(() => {
      home.assertPoolWhole();
    }).toThrow(`the pool is not whole: ${at(gpus, 0).resUuid} is in the pool`);
    sim.move(at(gpus, 3).resUuid, machine(1));
    expect(() => {
      sim.assertPoolWhole();
    }).toThrow(`${at(gpus, 3).resUuid} is attached on ${machine(1)}`);
  });

  it.each([
    ['devices', { devices: [at(gpus, 0), at(gpus, 0)] }, /two devices have the resUuid/],
    ['machines', { machines: [...makeMachines(1), ...makeMachines(1)] }, /two machines have the UUID/],
    ['a home', { devices: [{ ...at(gpus, 0), machine: 'nowhere' }] }, /no machine has the UUID nowhere/],
  ])('refuse %s that cannot be', (_case, options, message) => {
    expect(() => makeFabric(options)).toThrow(message);
  });

  it('refuse ids that are not there, and change nothing', () => {
    const { sim, machine } = makeFabric();
    expect(() => {
      sim.move('nothing', machine(0));
    }).toThrow('no device has the resUuid nothing');
    expect(() => {
      sim.move(at(gpus, 0).resUuid, 'nowhere');
    }).toThrow('no machine has the UUID nowhere');
    sim.assertPoolWhole();
  });
});

describe('thousands of devices', () => {
  it('are attached in a time that does not grow with their square', async () => {
    const { clock, sim } = makeFabric({ devices: makeGpus(5_000, MODEL), machines: makeMachines(500) });
    const client = await logIn(sim);
    const answers = makeMachines(500).map(({ machUuid }) => client.attach(machUuid, 10));
    await clock.advance(0);
    const statuses = (await Promise.all(answers)).map((answer) => answer.status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(sim.snapshot().free).toEqual([]);
  });
});

describe('seededRandom', () => {
  it('repeats itself for the same seed, stays in [0, 1) and differs for others', () => {
    const draw = (seed: number) => Array.from({ length: 1_000 }, seededRandom(seed));
    expect(draw(3)).toEqual(draw(3));
    expect(draw(3)).not.toEqual(draw(4));
    expect(draw(3).every((value) => value >= 0 && value < 1)).toBe(true);
    const mean = draw(5).reduce((sum, value) => sum + value, 0) / 1_000;
    expect(mean).toBeGreaterThan(0.45);
    expect(mean).toBeLessThan(0.55);
  });
});
