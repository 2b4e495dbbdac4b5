import { systemClock as clock } from '@cro/clock';
import { resourceKind } from '@cro/demo';
import { LEFT_NODE, LEFT_REQUEST, leftovers, writesOf, type Ids, type Leftover } from '@cro/crd-types/testing';
import { makeMachines } from '@cro/fabric-sim';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { removeLease, startContender, type Contender } from './support/contender.ts';
import { switchCrds } from './support/crd-switch.ts';
import { ask, askBack, untilBack, untilThere } from './support/one-device.ts';
import { untilGone, untilRunning, untilSeen } from './support/waits.ts';
import { startWorld, type World } from './support/world.ts';

/* The Go operator is replaced on a real control plane, where a CRD's schema also decides what is read of stored objects. */

const PATIENCE_MS = 60_000;
const TIMES = { settleSeconds: 3, syncSeconds: 2 };
const FABRIC_CALL = { label: 'PATCH /fabric_manager/api/v1/machines/-/update', nth: 1, side: 'before' } as const;

let world: World;
let operator: Contender | undefined;
let started = 0;

beforeAll(async () => {
  world = await startWorld({ webhook: false });
});

afterEach(async () => {
  await operator?.program.stop(clock, PATIENCE_MS);
  await operator?.close();
  operator = undefined;
});

afterAll(async () => {
  await world.close();
});

async function startNext(drain?: 'once'): Promise<Contender> {
  started += 1;
  operator = await startContender(world, `operator-${started}`, { ...TIMES, ...(drain && { drain, mayEnd: true }) });
  await operator.untilLeads();
  return operator;
}

function attachByHand(): Ids {
  const machine = makeMachines(1)[0]?.machUuid ?? '';
  const id = world.fabric.snapshot().free[0] ?? '';
  world.fabric.move(id, machine);
  const device = world.fabric.attachedTo(machine).find(({ resUuid }) => resUuid === id);
  return { device_id: device?.serial ?? '', cdi_device_id: id };
}

/** The Go operator's objects, under CRDs of its shapes. */
async function leave({ attached, objects, deleted }: Leftover): Promise<void> {
  await switchCrds(world, 'go');
  const ids = Array.from({ length: attached }, attachByHand);
  await world.nodes.settled();
  for (const object of objects(ids)) {
    const isDeleted = deleted === 'all' || (deleted === 'resources' && object.kind === 'ComposableResource');
    for (const { method, path, contentType, body } of writesOf(object, isDeleted)) {
      const answer = await world.send(method, path, body === undefined ? undefined : { type: contentType, text: body });
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    }
    await untilSeen(world, object);
  }
}

describe(`taken over from the Go operator on ${LEFT_NODE}`, () => {
  test.each(leftovers)('$what', async (leftover) => {
    const before = world.fabric.calls();
    await leave(leftover);
    await switchCrds(world, 'ours');
    await startNext();
    if (leftover.end === 'gone') await untilGone(world, LEFT_REQUEST);
    else await untilRunning(world, LEFT_REQUEST, leftover.end);
    const { attach, detach } = leftover.calls;
    expect(world.fabric.calls()).toMatchObject({ attach: before.attach + attach, detach: before.detach + detach });
    if (leftover.end !== 'gone') {
      await askBack(world, LEFT_REQUEST);
      await untilGone(world, LEFT_REQUEST);
    }
    world.fabric.assertPoolWhole();
  });
});

describe('its CRDs come back under the running operator', () => {
  test.each([
    ['nobody writes', false],
    ['an autoscaler writes, and the ticket is gone', true],
  ])('with an attach under way, and %s: no second device', async (_, isWritten) => {
    await switchCrds(world, 'ours');
    const before = world.fabric.calls();
    const { gate } = await startNext();
    const holding = gate.hold(FABRIC_CALL, PATIENCE_MS);
    await ask(world, LEFT_REQUEST);
    const call = await holding;
    await switchCrds(world, 'go');
    const [device] = world.caches.resources.list();
    if (isWritten) {
      const value = { metadata: { annotations: { 'cohdi.io/last-used-time': '2026-01-01T00:00:00Z' } } };
      await world.client.patch(resourceKind, { name: device?.metadata.name ?? '' }, { type: 'merge', value });
    }
    call.release();
    await untilThere(world, LEFT_REQUEST);
    expect(world.fabric.calls()).toMatchObject({ attach: before.attach + 1, detach: before.detach });
    await switchCrds(world, 'ours');
    await askBack(world, LEFT_REQUEST);
    await untilBack(world, LEFT_REQUEST);
    expect(world.fabric.calls()).toMatchObject({ attach: before.attach + 1, detach: before.detach + 1 });
  });
});

describe('before the Go operator comes back', () => {
  test('a drain ends the ticket of one that was killed, and then the process, with exit code 0', async () => {
    await switchCrds(world, 'ours');
    const before = world.fabric.calls();
    const first = await startNext();
    const holding = first.gate.hold({ ...FABRIC_CALL, side: 'after' }, PATIENCE_MS);
    await ask(world, LEFT_REQUEST);
    await holding;
    await first.program.kill();
    await first.close();
    await removeLease(world);
    const { program } = await startNext('once');
    await expect(program.failed).rejects.toThrow('exit code 0');
    const [device] = world.caches.resources.list();
    expect(device?.status).toMatchObject({ state: expect.stringMatching(/^(Attaching|Online)$/) as string });
    expect(device?.status?.device_id).toBeDefined();
    expect(device?.status?.operation).toBeUndefined();
    expect(world.fabric.calls()).toMatchObject({ attach: before.attach + 1, detach: before.detach });
    await operator?.close();
    await startNext();
    await untilThere(world, LEFT_REQUEST);
    await askBack(world, LEFT_REQUEST);
    await untilBack(world, LEFT_REQUEST);
  });
});
