import type { Clock } from '@cro/clock';
import type { Args } from './args.ts';
import type { Pace } from './story/context.ts';
import { tellStory, type StoryOutcome } from './story/story.ts';
import { summary } from './story/summary.ts';
import type { View } from './view/view.ts';
import { GPU_NODES } from './world/options.ts';
import { startWorld } from './world/start-world.ts';
import type { World } from './world/world.ts';

/** What the demo runs on. */
export interface DemoHost {
  readonly clock: Clock;
  readonly random: () => number;
  readonly view: View;
  /** Aborts when the person has had enough (Ctrl-C). */
  readonly interrupted: AbortSignal;
}

const LEADS_WITHIN_MS = 30_000;

/** Runs the whole demo. Answers the exit code. */
export async function runDemo(args: Args, host: DemoHost): Promise<number> {
  const { clock, random, view } = host;
  const pace = paceOf(args.speed);
  view.step('control plane, fabric, nodes, operator and webhook come up');
  const from = clock.monotonic();
  const world = await startWorld({ clock, random, fabric: args.fabric, equipment: GPU_NODES, ...pace }).catch(
    (error: unknown) => {
      view.close();
      view.text(`the world does not come up: ${error instanceof Error ? error.message : String(error)}\n`);
      return undefined;
    },
  );
  if (world === undefined) return 1;
  const outcome = await Promise.race([story(world, pace, host, from), interruption(host.interrupted)]);
  if (outcome === undefined) {
    view.close();
    return (await closed(world, args.keep, view)) ? 130 : 1;
  }
  view.text(summary({ outcome, calls: world.fabric.calls(), api: world.operatorCounts(), logPath: world.logPath }));
  if (args.stay) {
    view.text(`\nStill up, until Ctrl-C. In another terminal:\n\n  export KUBECONFIG=${world.kubeconfigPath}\n\n`);
    await interruption(host.interrupted);
  }
  view.close();
  const isClosed = await closed(world, args.keep || outcome.tag === 'wrong', view);
  return outcome.tag === 'right' && isClosed ? 0 : 1;
}

/** Closes the world. False, with a text that says why, when an operator did not stop. */
async function closed(world: World, keep: boolean, view: View): Promise<boolean> {
  try {
    await world.close({ keep });
    return true;
  } catch (error) {
    view.text(`${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}

async function story(world: World, pace: Pace, { clock, view }: DemoHost, from: number): Promise<StoryOutcome> {
  const operator = world.startOperator();
  try {
    await world.untilOperatorLeads(LEADS_WITHIN_MS);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { tag: 'wrong', step: 'everything comes up', reason, times: [] };
  }
  view.stepDone('everything is up', (clock.monotonic() - from) / 1000);
  return tellStory({ clock, world, view, pace, request: 'two-a100', operator });
}

/** The fabric takes seconds, as a real one does, so that a person can follow. */
function paceOf(speed: number): Pace {
  return { attachMs: 2000 / speed, detachMs: 1000 / speed, publishDelayMs: 500 / speed };
}

function interruption(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => {
      resolve(undefined);
    });
  });
}
