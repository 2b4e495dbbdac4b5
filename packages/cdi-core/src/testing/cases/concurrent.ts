import assert from 'node:assert/strict';
import type { PrepareRequest } from '../../contract/ticket.ts';
import { Lanes } from '../operator/lanes.ts';
import { ModelOperator } from '../operator/model-operator.ts';
import { onOneFabric, type ContractCase } from '../suite/contract-case.ts';
import type { Stage } from '../suite/stage.ts';
import { attachRequest } from '../suite/steps.ts';

/** Carries several operations out at once, each through its lane, and answers the devices that they ended with. */
async function atOnce(stage: Stage, requests: readonly PrepareRequest[]): Promise<(string | undefined)[]> {
  const provider = stage.restart();
  const lanes = new Lanes();
  const operators: ModelOperator[] = [];
  const work = requests.map((request) => {
    const operator: ModelOperator = new ModelOperator(stage, () => heldByOthers(operators, operator), provider);
    operators.push(operator);
    return lanes.run(provider, request.machine, () => operator.carryOut(request));
  });
  const ended = await stage.world.settle(Promise.all(work));
  return ended.map(({ device }) => device?.cdiDeviceId);
}

function heldByOthers(all: readonly ModelOperator[], one: ModelOperator): readonly string[] {
  return all.flatMap((other) => (other === one || other.holds === undefined ? [] : [other.holds]));
}

/** Two attaches for each of the two machines. */
function fourAttaches(stage: Stage): PrepareRequest[] {
  const { machine, otherMachine } = stage.world;
  return [machine, otherMachine, machine, otherMachine].map((one, index) => ({
    ...attachRequest(stage),
    machine: one,
    holder: `holder-${index}`,
  }));
}

async function attachFour(stage: Stage): Promise<string[]> {
  const ids = await atOnce(stage, fourAttaches(stage));
  const [a, b, c, d] = ids.map((id) => id ?? assert.fail('an attach that is done names its device'));
  const { world } = stage;
  assert.deepEqual([...world.attached(world.machine)].sort(), [a, c].sort());
  assert.deepEqual([...world.attached(world.otherMachine)].sort(), [b, d].sort());
  return ids.flatMap((id) => id ?? []);
}

/** Several operations at once, on one machine through its lane and on two. */
export const concurrentCases: readonly ContractCase[] = [
  onOneFabric('attaches at once, on one machine and on two: each gets a device of its own', async (stage) => {
    await attachFour(stage);
    assert.equal(stage.world.changes(), 4);
  }),
  onOneFabric('attaches at once, one of which loses its answer: each gets a device of its own', async (stage) => {
    stage.world.loseNextAnswer();
    await attachFour(stage);
    assert.equal(stage.world.changes(), 4);
  }),
  onOneFabric('detaches at once: each takes its own device away', async (stage) => {
    const { world } = stage;
    const ids = await attachFour(stage);
    const requests = fourAttaches(stage).map(({ holder, machine, type, model }, index): PrepareRequest => {
      const device = { cdiDeviceId: ids[index] ?? '' };
      return { op: 'detach', holder, machine, type, model, claimed: [], device };
    });
    // The last device of each machine stays.
    await atOnce(stage, requests.slice(0, 2));
    assert.deepEqual(world.attached(world.machine), ids.slice(2, 3));
    assert.deepEqual(world.attached(world.otherMachine), ids.slice(3));
    await atOnce(stage, requests.slice(2));
    assert.deepEqual([...world.attached(world.machine), ...world.attached(world.otherMachine)], []);
    assert.equal(world.changes(), 8);
  }),
];
