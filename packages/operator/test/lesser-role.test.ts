import { expect, test } from 'vitest';
import { goOperatorRole } from './world/go-operator-role.ts';
import { putRequest, requestOf, REQUESTS, runsWith, until } from './world/objects.ts';
import { makeWorld } from './world/world.ts';

/** It grants no way to run a command: opening the WebSocket takes `get`. */
const NONE = { tag: 'none' } as const;

test("under the Go operator's role devices come and go, and what is refused is not asked for in a loop", async () => {
  const world = await makeWorld({ grants: goOperatorRole, nodeActions: NONE });
  const life = world.startOperator();
  putRequest(world, 'two', { size: 2 });
  await until(world, 'two devices', () => runsWith(world, 'two', 2));
  const before = world.authorizer.refused.length;
  await world.clock.advance(600_000);
  expect(life.operator.notReady()).toEqual([]);
  // Each minute the Secret is listed in vain before it is read, and the syncer asks for what it saw before.
  expect(world.authorizer.refused.length - before).toBeLessThanOrEqual(25);
  world.kube.objects.delete(REQUESTS, 'two');
  await until(world, 'all is given back', () => requestOf(world, 'two') === undefined);
  world.fabric.assertPoolWhole();
  expect(new Set(world.authorizer.refused.map((line) => line.split(' ').slice(0, 2).join(' ')))).toEqual(
    new Set(['list secrets', 'create events', 'get configmaps']),
  );
});

test('without leave to see nodes it is not ready, and asks seldom', async () => {
  const world = await makeWorld({
    grants: goOperatorRole.filter(({ resource }) => resource !== 'nodes'),
    nodeActions: NONE,
  });
  const life = world.startOperator();
  await world.clock.advance(600_000);
  expect(life.operator.notReady()).toEqual([
    expect.stringMatching(/^nodes: not read yet: nodes is forbidden: .* cannot list resource "nodes"/),
  ]);
  expect(world.authorizer.refused.filter((line) => line.startsWith('list nodes')).length).toBeLessThanOrEqual(50);
});
