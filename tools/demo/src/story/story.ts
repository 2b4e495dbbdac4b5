import type { View } from '../view/view.ts';
import { deviceLine } from '../view/device-lines.ts';
import type { World } from '../world/world.ts';
import { StoryError, type Step, type StoryContext } from './context.ts';
import { stepsOn } from './steps.ts';

/** How long a part of the story took. */
export interface StepTime {
  readonly title: string;
  readonly ms: number;
  /** Of that: how long the fabric was at work. */
  readonly fabricMs: number;
}

/** How the story came out. */
export type StoryOutcome =
  | { readonly tag: 'right'; readonly times: readonly StepTime[] }
  | { readonly tag: 'wrong'; readonly step: string; readonly reason: string; readonly times: readonly StepTime[] };

/** Tells the story from a world in which an operator leads. Never rejects. */
export async function tellStory(
  context: StoryContext,
  steps: readonly Step[] = stepsOn(context.world),
): Promise<StoryOutcome> {
  const times: StepTime[] = [];
  const stop = showDevices(context.world, context.view);
  try {
    for (const step of steps) {
      const reason = await runStep(context, step, times);
      if (reason !== undefined) return { tag: 'wrong', step: step.title, reason, times };
    }
    return { tag: 'right', times };
  } finally {
    stop();
  }
}

async function runStep(context: StoryContext, step: Step, times: StepTime[]): Promise<string | undefined> {
  const { clock, view, world } = context;
  const from = clock.monotonic();
  view.step(step.title);
  try {
    await step.run(context);
  } catch (error) {
    // A bug of this program is told with its stack; a story that went wrong needs none.
    if (error instanceof StoryError) return error.message;
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const to = clock.monotonic();
  times.push({ title: step.title, ms: to - from, fabricMs: world.fabricMs({ from, to }) });
  view.stepDone(step.title, (to - from) / 1000);
  return undefined;
}

function showDevices(world: World, view: View): () => void {
  return world.resources.subscribe((event) => {
    const { uid } = event.object.metadata;
    if (event.type === 'deleted') view.deviceGone(uid);
    else view.device(uid, deviceLine(event.object));
  });
}
