import { systemClock } from '@cro/clock';
import { afterEach, describe, expect, test } from 'vitest';
import { startWorld, type World } from '../src/index.ts';
import { StoryError, type Step, type StoryContext } from '../src/story/context.ts';
import { STEPS } from '../src/story/steps.ts';
import { tellStory } from '../src/story/story.ts';
import { summary } from '../src/story/summary.ts';
import type { FabricName } from '../src/world/fabrics.ts';
import { plainView } from '../src/view/plain-view.ts';

/** Does nothing until it is ended. */
const IDLE = ['--input-type=commonjs', '--eval', 'setInterval(() => {}, 1000)', '--'];
const PACE = { attachMs: 50, detachMs: 50, publishDelayMs: 20 };

let open: World | undefined;

afterEach(async () => {
  await open?.close();
  open = undefined;
}, 30_000);

/** A world with an operator, without the webhook. */
async function begin(
  withOperator = true,
  fabric: FabricName = 'fm',
): Promise<{ context: StoryContext; text: () => string }> {
  const world = await startWorld({
    clock: systemClock,
    random: Math.random,
    ...PACE,
    fabric,
    webhook: false,
    ...(withOperator ? {} : { operatorCommand: IDLE }),
  });
  open = world;
  let text = '';
  const view = plainView(systemClock, { write: (more) => void (text += more) });
  const operator = world.startOperator();
  if (withOperator) await world.untilOperatorLeads(30_000);
  return {
    context: { clock: systemClock, world, view, pace: PACE, request: 'two', operator },
    text: () => text,
  };
}

function reportOf(context: StoryContext, outcome: Awaited<ReturnType<typeof tellStory>>): string {
  const { fabric, operatorCounts, logPath } = context.world;
  return summary({ outcome, calls: fabric.calls(), api: operatorCounts(), logPath });
}

describe('the story', () => {
  test('begins with two devices that come online, one fabric call each', { timeout: 60_000 }, async () => {
    const { context, text } = await begin();
    const outcome = await tellStory(context, STEPS.slice(0, 2));
    expect(outcome).toMatchObject({ tag: 'right', times: [{}, {}] });
    expect(context.world.fabric.calls()).toMatchObject({ attach: 3, detach: 0 });
    expect(text()).toMatch(/gpu-[0-9a-f]{8} {2}worker-\d {2}Online/);
    const report = reportOf(context, outcome);
    expect(report).toContain('fabric calls: 3 attach, 0 detach');
    expect(report).toContain('The story came out right.');
  });

  test(
    'is the same on a fabric that works by itself and does not know what nodes call its devices',
    { timeout: 60_000 },
    async () => {
      const { context } = await begin(true, 'nec');
      expect(await tellStory(context, STEPS.slice(0, 2))).toMatchObject({ tag: 'right', times: [{}, {}] });
      expect(context.world.fabric.calls()).toMatchObject({ attach: 3, detach: 0 });
      const [machine = ''] = Object.keys(context.world.fabric.snapshot().machines);
      const serials = new Map(context.world.fabric.attachedTo(machine).map(({ resUuid, serial }) => [resUuid, serial]));
      const known = context.world.resources.list().map(({ status }) => [status?.cdi_device_id, status?.device_id]);
      expect(new Map(known as [string, string][])).toEqual(serials);
    },
  );

  test('is the same on a fabric that counts and finishes later', { timeout: 60_000 }, async () => {
    const { context } = await begin(true, 'cm');
    expect(await tellStory(context, STEPS.slice(0, 2))).toMatchObject({ tag: 'right', times: [{}, {}] });
    expect(context.world.fabric.calls()).toMatchObject({ attach: 3, detach: 0 });
  });

  test('is wrong when the fabric and the cluster do not agree', { timeout: 60_000 }, async () => {
    const { context } = await begin();
    const stray = context.world.fabric.snapshot().free.at(-1) ?? 'no device';
    const [first] = STEPS;
    const loseOne: Step = {
      title: 'somebody attaches a device by hand',
      run: ({ world }) => {
        const [machine = 'no machine'] = Object.keys(world.fabric.snapshot().machines);
        world.fabric.move(stray, machine);
        return Promise.resolve();
      },
    };
    const outcome = await tellStory(context, [loseOne, ...(first === undefined ? [] : [first])]);
    expect(outcome).toMatchObject({ tag: 'wrong', step: first?.title });
    const report = reportOf(context, outcome);
    expect(report).toContain(stray);
    expect(report).toContain(context.world.logPath);
  });

  test('ends with the first step that goes wrong', async () => {
    const { context } = await begin(false);
    const ran: string[] = [];
    const step = (title: string, problem?: Error): Step => ({
      title,
      run: () => {
        ran.push(title);
        return problem === undefined ? Promise.resolve() : Promise.reject(problem);
      },
    });
    const outcome = await tellStory(context, [step('a'), step('b', new StoryError('no luck')), step('c')]);
    expect(outcome).toMatchObject({ tag: 'wrong', step: 'b', reason: 'no luck', times: [{ title: 'a' }] });
    expect(ran).toEqual(['a', 'b']);
  });
});
