import { expect, test } from 'vitest';
import { componentsOf, deadEnds, explore, storyOf, type Edge } from '../explore/search.ts';
import { requestLife } from '../../src/catalogue.ts';
import { movesOf, rowsSeen } from './moves.ts';
import { isAlive, NAMES, namesWhere, newborn, type World } from './world.ts';

const initial: readonly World[] = [
  newborn,
  { ...newborn, size: 0 },
  { ...newborn, target: 'unknown', whims: 0 },
  { ...newborn, foreign: true, whims: 0 },
];
const graph = explore(initial, (world) => JSON.stringify(Object.values(world)), movesOf);
const size = `${graph.worlds.length} worlds, ${graph.edges.length} moves`;
const cooperative = (edge: Edge) => edge.cooperative;

function expectNone(indices: readonly number[]): void {
  const [first] = indices;
  expect(first === undefined ? 'none' : `${indices.length}, such as ${storyOf(graph, first)}`).toBe('none');
}

test(`no rule is broken in any of ${size}`, () => {
  expect(graph.worlds.length).toBeGreaterThan(5_000);
});

test('each row of the table decides somewhere, but for those that only a hand leads to', () => {
  const names = new Set(Object.values(requestLife).flatMap((rows) => rows.map(({ name }) => name)));
  for (const seen of rowsSeen) names.delete(seen);
  expect([...names]).toEqual(['not deleted after all', 'a child turned up']);
});

test('from everywhere a deleted request goes, once faults stop', () => {
  const ends = deadEnds(graph, ({ exists }) => !exists, cooperative);
  expectNone(ends.filter((index) => graph.worlds[index]?.deleted === true && !graph.worlds[index].paused));
});

test('from everywhere a wanted request comes to run with exactly the devices asked for', () => {
  const runs = ({ state, children, size: wanted, plannedSize }: World) =>
    state === 'Running' &&
    plannedSize === wanted &&
    namesWhere((name) => children[name] === 'online').length === wanted &&
    NAMES.every((name) => !isAlive(children[name]) || children[name] === 'online');
  const ends = deadEnds(graph, (world) => runs(world) || !world.exists, cooperative);
  expectNone(ends.filter((index) => graph.worlds[index]?.deleted === false && !graph.worlds[index].paused));
});

test('nothing is written twice on any way round that comes back to where it began', () => {
  const component = componentsOf(graph, cooperative);
  const said = new Map<number, string>();
  const repeated: number[] = [];
  for (const { from, to, says, cooperative: is } of graph.edges) {
    const round = component[from];
    if (!is || says === undefined || round === undefined || round !== component[to]) continue;
    if (says.startsWith('save') || (said.get(round) ?? says) !== says) repeated.push(from);
    said.set(round, says);
  }
  expectNone(repeated);
});
