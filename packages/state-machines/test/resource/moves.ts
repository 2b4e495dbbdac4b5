import type { ResourceFacts } from '../../src/index.ts';
import type { Move } from '../explore/search.ts';
import { endingsOf, TAKES_LANE } from './endings.ts';
import { takeStep } from './interpret.ts';
import type { World } from './world.ts';

/** All that may happen next: a step, the end of a request, and what the world does by itself. */
export function movesOf(world: World): Move<World>[] {
  if (!world.exists) return [];
  const moves = [...movesOfFabric(world), ...movesOfPeople(world), ...movesOfNode(world), ...movesOfProcess(world)];
  if (world.waiting === 'no') moves.push(takeStep(world));
  if (!world.queued) {
    for (const { outcome, to, cooperative } of endingsOf(world)) {
      const told = { ...to, running: 'nothing', waiting: 'no' } as const;
      const move = told.exists ? takeStep(told, outcome) : { label: 'gone', to: told };
      moves.push({ ...move, label: `${outcome.request} ends ${outcome.tag}, ${move.label}`, cooperative });
    }
  }
  return moves;
}

function move(label: string, to: World, cooperative = false): Move<World> {
  return { label, to, cooperative };
}

/** The fabric works on whether or not somebody waits for it. */
function movesOfFabric(world: World): Move<World>[] {
  const { call, devices, generous } = world;
  if (call === 'none') return [];
  const dropped = move('the fabric drops the call', { ...world, call: 'none' });
  if (call === 'detach') return [dropped, move('the fabric detaches', { ...world, call: 'none', devices: 0 }, true)];
  const attached = move('the fabric attaches', { ...world, call: 'none', devices: devices === 0 ? 1 : 2 }, true);
  const two = { ...world, call: 'none', devices: 2, generous: false } as const;
  return generous ? [dropped, attached, move('the fabric attaches two', two)] : [dropped, attached];
}

function movesOfPeople(world: World): Move<World>[] {
  const awake = { ...world, waiting: 'no' } as const;
  const holds: readonly ResourceFacts['hold'][] = ['none', 'paused', 'detached'];
  const moves = holds
    .filter((hold) => hold !== world.hold)
    .map((hold) => move(`annotated: ${hold}`, { ...awake, hold }));
  if (!world.deleted)
    moves.push(move('deleted', { ...awake, deleted: true, exists: world.finalizer || world.foreign }));
  if (world.finalizer) {
    const exists = !world.deleted || world.foreign;
    moves.push(move('finalizer removed by hand', { ...awake, finalizer: false, exists, byHand: true }));
  }
  return moves;
}

function movesOfNode(world: World): Move<World>[] {
  const becomes = (node: ResourceFacts['node'], cooperative: boolean) =>
    move(`node ${node}`, { ...world, node, waiting: 'no' }, cooperative);
  const shows = (visible: ResourceFacts['visible'], cooperative: boolean) =>
    move(
      `cluster: ${visible}`,
      { ...world, visible, waiting: world.ids === 'both' ? 'no' : world.waiting },
      cooperative,
    );
  const moves: Move<World>[] = [];
  if (world.node !== 'ready') moves.push(becomes('ready', world.node !== 'gone'));
  if (world.node !== 'notReady') moves.push(becomes('notReady', false));
  if (world.node !== 'gone') moves.push(becomes('gone', false));
  if (world.visible !== 'visible' && world.devices > 0 && world.node === 'ready') moves.push(shows('visible', true));
  if (world.visible !== 'absent') moves.push(shows('absent', world.devices === 0));
  return moves;
}

function movesOfProcess(world: World): Move<World>[] {
  const moves: Move<World>[] = [];
  if (world.waiting === 'timer') moves.push(move('time passes', { ...world, waiting: 'no' }, true));
  if (world.running !== 'nothing' && TAKES_LANE.includes(world.running)) {
    const { queued } = world;
    moves.push(move(queued ? 'has the lane' : 'queued', { ...world, queued: !queued, waiting: 'no' }, queued));
  }
  if (!world.settled && world.call === 'none' && !world.observed)
    moves.push(move('settle window ends', { ...world, settled: true, waiting: 'no' }, true));
  const lost = { running: 'nothing', queued: false, unstarted: false, settled: false, waiting: 'no' } as const;
  moves.push(move('crash', { ...world, ...lost, node: 'unknown', visible: 'unknown' }));
  return moves;
}
