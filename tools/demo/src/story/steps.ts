import { requestKind } from '@cro/crd-types';
import { DEFAULT_MODEL } from '../world/options.ts';
import { expect, StoryError, type Step, type StoryContext } from './context.ts';
import type { World } from '../world/world.ts';
import { memorySteps } from './memory-steps.ts';
import { untilGone, untilRunning } from './waits.ts';

/** What should pass beyond the fabric's and the driver's own time until the first request is Running. */
const GOAL_MS = 2_000;
/** A busy machine can miss the goal; beyond this the operator sleeps or polls where it should be woken. */
const MOST_MS = 10_000;

/** The story, in order. */
export const STEPS: readonly Step[] = [
  { title: 'a request for two A100 on one node goes to Running', run: ask },
  { title: 'it grows to three', run: (context) => resize(context, 3) },
  { title: 'a request that cannot be right is refused', run: askForNonsense },
  { title: 'it shrinks to one', run: (context) => resize(context, 1) },
  { title: 'it grows to two, and the operator is killed in the middle of the attach', run: killDuringAttach },
  { title: 'the request is deleted, and the pool is whole again', run: giveBack },
];

/** The story on a fabric: the same on each, and more where it has CXL memory. */
export function stepsOn({ memoryModel }: Pick<World, 'memoryModel'>): readonly Step[] {
  return memoryModel === undefined ? STEPS : [...STEPS, ...memorySteps(memoryModel)];
}

async function ask(context: StoryContext): Promise<void> {
  const { clock, world, view, request: name } = context;
  const from = clock.monotonic();
  await create(context, name, { type: 'gpu', model: DEFAULT_MODEL, size: 2, allocation_policy: 'samenode' });
  await untilRunning(context, 2);
  const to = clock.monotonic();
  const nodes = new Set(world.resources.list().map(({ spec }) => spec.target_node));
  expect(nodes.size === 1, `two devices of a samenode request are on ${nodes.size} nodes`);
  const others = world.fabricMs({ from, to }) + context.pace.publishDelayMs;
  const overhead = Math.max(0, to - from - others);
  const verdict = overhead <= GOAL_MS ? 'reached' : 'missed: is this machine busy?';
  view.note(`the fabric and the driver took ${seconds(others)}`);
  view.note(`everything else took ${seconds(overhead)} (goal: ${seconds(GOAL_MS)}, ${verdict})`);
  expect(overhead <= MOST_MS, `the operator added ${seconds(overhead)}: something waits that should not`);
}

async function resize(context: StoryContext, size: number): Promise<void> {
  await setSize(context, size);
  await untilRunning(context, size);
}

async function askForNonsense(context: StoryContext): Promise<void> {
  const resource = {
    type: 'gpu',
    model: DEFAULT_MODEL,
    size: 1,
    allocation_policy: 'differentnode',
    target_node: 'worker-0',
  };
  const outcome = await context.world.client.create(requestKind, {
    metadata: { name: 'nonsense' },
    spec: { resource },
  });
  if (outcome.tag !== 'refused') throw new StoryError(`a wrong request was not refused: ${outcome.tag}`);
  context.view.note(outcome.error.message);
  const reason = "TargetNode cannot be specified when AllocationPolicy is set to 'differentnode'";
  expect(outcome.error.message.includes(reason), `the refusal does not say why: ${outcome.error.message}`);
}

async function killDuringAttach(context: StoryContext): Promise<void> {
  const { world, view } = context;
  const before = world.fabric.calls();
  const asked = world.nextFabricCall(world.attachMethod, 30_000);
  await setSize(context, 2);
  await asked;
  await context.operator.kill();
  view.note('killed while the fabric was at work; the fabric goes on');
  context.operator = world.startOperator();
  view.note('started again; it waits for the lease of the killed one to run out');
  await untilRunning(context, 2);
  const attaches = world.fabric.calls().attach - before.attach;
  expect(attaches === 1, `the fabric was asked ${attaches} times for one device`);
}

async function giveBack(context: StoryContext): Promise<void> {
  const { world, request: name } = context;
  const outcome = await world.client.delete(requestKind, { name });
  expect(outcome.tag === 'done', `the request cannot be deleted: ${JSON.stringify(outcome)}`);
  await untilGone(context);
  world.fabric.assertPoolWhole();
  const { attach, detach } = world.fabric.calls();
  expect(attach === 4 && detach === 4, `4 devices took ${attach} attach calls and ${detach} detach calls`);
}

async function create(context: StoryContext, name: string, resource: Readonly<Record<string, unknown>>): Promise<void> {
  const outcome = await context.world.client.create(requestKind, { metadata: { name }, spec: { resource } });
  expect(outcome.tag === 'done', `request ${name} cannot be created: ${JSON.stringify(outcome)}`);
}

async function setSize({ world, request: name }: StoryContext, size: number): Promise<void> {
  const value = { spec: { resource: { size } } };
  const outcome = await world.client.patch(requestKind, { name }, { type: 'merge', value });
  expect(outcome.tag === 'done', `the size cannot be changed to ${size}: ${JSON.stringify(outcome)}`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
