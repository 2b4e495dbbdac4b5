import { expect, test } from 'vitest';
import { componentsOf, deadEnds, explore, storyOf, type Edge } from '../explore/search.ts';
import { life } from '../../src/resource/life.ts';
import { rowsSeen } from './interpret.ts';
import { movesOf } from './moves.ts';
import { fieldsOf, newborn, numbering, type World } from './world.ts';

const quiet = { ...newborn, generous: false };
const inherited = { ...quiet, state: 'Attaching' } as const;
const known = { ids: 'both', devices: 1 } as const;
const initial: readonly World[] = [
  newborn,
  { ...quiet, named: false, foreign: true },
  { ...quiet, finalizer: false },
  { ...quiet, force: true },
  { ...quiet, labels: 'device', devices: 1 },
  { ...quiet, labels: 'device', devices: 1, named: false },
  // What the labels name is not on the fabric: a GPU that is fixed in the node.
  { ...quiet, labels: 'device', visible: 'visible' },
  { ...quiet, labels: 'device', visible: 'visible', force: true },
  { ...quiet, labels: 'empty' },
  inherited,
  { ...inherited, devices: 1 },
  { ...inherited, call: 'attach' },
  { ...inherited, ...known },
  { ...inherited, ...known, state: 'Online', visible: 'visible' },
  { ...inherited, ...known, state: 'Detaching', visible: 'visible' },
  { ...inherited, state: 'Detaching' },
  { ...inherited, ...known, state: 'Deleting', deleted: true, node: 'gone' },
];

const graph = explore(initial, numbering(fieldsOf(newborn)), movesOf);
const size = `${graph.worlds.length} worlds, ${graph.edges.length} moves`;
const cooperative = (edge: Edge) => edge.cooperative;
/** Where the machine of the fabric cannot be named any more: `Blocked`, until a person acts. */
const needsPerson = ({ node, place, ids, released, observed, ticket, state }: World) =>
  node === 'gone' &&
  !place &&
  ticket === 'none' &&
  !released &&
  (ids !== 'none' || (state === 'Attaching' && !observed));

/** Another finalizer may still hold what is over for us. */
const isOver = ({ exists, deleted, finalizer, ticket }: World) =>
  !exists || (deleted && !finalizer && ticket === 'none');

function expectNone(indices: readonly number[]): void {
  const [first] = indices;
  expect(first === undefined ? 'none' : `${indices.length}, such as ${storyOf(graph, first)}`).toBe('none');
}

test(`no rule is broken in any of ${size}`, () => {
  expect(graph.worlds.length).toBeGreaterThan(50_000);
});

test('each row of the table decides somewhere, but for one that only a hand can lead to', () => {
  const names = new Set(Object.values(life).flatMap((rows) => rows.map(({ name }) => name)));
  for (const seen of rowsSeen) names.delete(seen.slice(seen.indexOf(' ') + 1));
  expect([...names]).toEqual(['a device already']);
});

test('from everywhere a deleted object goes, once faults stop', () => {
  const ends = deadEnds(graph, (world) => isOver(world) || needsPerson(world), cooperative);
  expectNone(ends.filter((index) => graph.worlds[index]?.deleted === true && graph.worlds[index].hold === 'none'));
});

test('from everywhere a deleted and detached object goes, once faults stop', () => {
  const ends = deadEnds(graph, isOver, cooperative);
  expectNone(ends.filter((index) => graph.worlds[index]?.deleted === true && graph.worlds[index].hold === 'detached'));
});

test('from everywhere a wanted device comes Online, or is given back where that is what it is for', () => {
  const isOnline = ({ state, devices, ticket }: World) => state === 'Online' && devices === 1 && ticket === 'none';
  const ends = deadEnds(graph, (world) => isOnline(world) || isOver(world) || needsPerson(world), cooperative);
  expectNone(ends.filter((index) => graph.worlds[index]?.deleted === false && graph.worlds[index].hold === 'none'));
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
