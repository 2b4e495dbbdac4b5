import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Bench, createBench, widget, WIDGETS } from './fixtures.ts';
import { type JsonObject } from '../src/index.ts';
import { isObject, listAt, objectAt, stringAt } from '../src/base/json.ts';

const MERGE = { 'content-type': 'application/merge-patch+json' };
const SELECTOR = 'labelSelector=on%3Dyes';

interface Step {
  readonly what: 'create' | 'label' | 'size' | 'delete' | 'finalizer';
  readonly name: string;
  readonly on: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('create', 'label', 'size', 'delete', 'finalizer'),
  name: fc.constantFrom('a', 'b', 'c'),
  on: fc.boolean(),
});

async function take({ ask }: Bench, { what, name, on }: Step, index: number): Promise<void> {
  const path = `${WIDGETS}/${name}`;
  const labels = { on: on ? 'yes' : 'no' };
  if (what === 'create') await ask('POST', WIDGETS, widget(name, { size: index }, { labels }));
  if (what === 'label') await ask('PATCH', path, { metadata: { labels } }, MERGE);
  if (what === 'size') await ask('PATCH', path, { spec: { size: index } }, MERGE);
  if (what === 'delete') await ask('DELETE', path);
  if (what === 'finalizer') await ask('PATCH', path, { metadata: { finalizers: on ? ['x/y'] : null } }, MERGE);
}

/** What a client that lists and then watches believes there is. */
function believe(list: JsonObject, events: readonly { readonly type: string; readonly object: JsonObject }[]) {
  const known = new Map(
    listAt(list, 'items')
      .filter(isObject)
      .map((item) => [stringAt(item, 'metadata', 'name'), item]),
  );
  let last = Number(stringAt(list, 'metadata', 'resourceVersion'));
  for (const { type, object } of events) {
    const name = stringAt(object, 'metadata', 'name');
    const version = Number(stringAt(object, 'metadata', 'resourceVersion'));
    expect(version).toBeGreaterThan(last);
    last = version;
    expect([type, known.has(name)]).toEqual([type, type !== 'ADDED']);
    if (type === 'DELETED') known.delete(name);
    else known.set(name, object);
  }
  return [...known.values()].sort((left, right) =>
    JSON.stringify(objectAt(left, 'metadata')['name']) < JSON.stringify(objectAt(right, 'metadata')['name']) ? -1 : 1,
  );
}

it('whatever happens, a list and a watch from its version tell what a later list tells', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.nat({ max: 25 }),
      fc.boolean(),
      async (steps, at, selected) => {
        const bench = createBench();
        const query = selected ? `?${SELECTOR}` : '?';
        const before = steps.slice(0, at);
        for (const [index, one] of before.entries()) await take(bench, one, index);
        const { body: list } = await bench.ask('GET', WIDGETS + query);
        for (const [index, one] of steps.slice(at).entries()) await take(bench, one, 100 + index);
        const version = stringAt(list, 'metadata', 'resourceVersion') ?? '';
        const watch = await bench.watch(`${WIDGETS}${query}&watch=true&resourceVersion=${version}`);
        for (const [index, one] of before.entries()) await take(bench, one, 200 + index);
        bench.sim.closeWatches('end');
        await watch.ended;
        const { body: later } = await bench.ask('GET', WIDGETS + query);
        const items = listAt(later, 'items');
        expect(believe(list, watch.events)).toEqual(items);
      },
    ),
    { numRuns: 60 },
  );
});
