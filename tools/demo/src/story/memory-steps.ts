import { requestKind } from '@cro/crd-types';
import { plainKind } from '../world/kinds.ts';
import { expect, StoryError, type Step, type StoryContext } from './context.ts';
import { untilGone, untilRunning } from './waits.ts';

/** On a fabric that has CXL memory: a piece of it comes to a node, and goes back. */
export function memorySteps(model: string): readonly Step[] {
  const about = (context: StoryContext): StoryContext => ({ ...context, request: 'cxl-memory' });
  return [
    { title: 'a request for CXL memory goes to Running', run: (context) => ask(about(context), model) },
    { title: 'the memory is given back, and the pool is whole again', run: (context) => giveBack(about(context)) },
  ];
}

async function ask(context: StoryContext, model: string): Promise<void> {
  const { world, view, request: name } = context;
  const spec = { resource: { type: 'cxlmemory', model, size: 1 } };
  const outcome = await world.client.create(requestKind, { metadata: { name }, spec });
  expect(outcome.tag === 'done', `request ${name} cannot be created: ${JSON.stringify(outcome)}`);
  await untilRunning(context, 1);
  const [resource] = world.resources.list();
  const node = resource?.spec.target_node ?? '';
  view.note(
    `${resource?.status?.device_id ?? ''} is on ${node}, whose capacity is ${await memoryOf(context, node)} now`,
  );
}

async function giveBack(context: StoryContext): Promise<void> {
  const { world, request: name } = context;
  const outcome = await world.client.delete(requestKind, { name });
  expect(outcome.tag === 'done', `the request cannot be deleted: ${JSON.stringify(outcome)}`);
  await untilGone(context);
  world.fabric.assertPoolWhole();
}

const nodeKind = plainKind('', 'v1', 'Node', 'nodes', false);

/** `status.capacity.memory` of a node. */
async function memoryOf({ world }: StoryContext, name: string): Promise<string> {
  const found = await world.client.get(nodeKind, { name });
  if (found.tag !== 'found') throw new StoryError(`node ${name} cannot be read: ${found.tag}`);
  const capacity: unknown = field(field(found.object, 'status'), 'capacity');
  return String(field(capacity, 'memory'));
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
