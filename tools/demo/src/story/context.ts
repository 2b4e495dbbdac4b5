import type { Clock } from '@cro/clock';
import type { View } from '../view/view.ts';
import type { World } from '../world/world.ts';
import type { OperatorProcess } from '../world/operator-process.ts';

/** How fast the fabric and the nodes are, in milliseconds. */
export interface Pace {
  readonly attachMs: number;
  readonly detachMs: number;
  readonly publishDelayMs: number;
}

/** What each part of the story works with. */
export interface StoryContext {
  readonly clock: Clock;
  readonly world: World;
  readonly view: View;
  readonly pace: Pace;
  /** Name of the one request that the story is about. */
  readonly request: string;
  /** The operator that runs now; the story replaces it when it kills one. */
  operator: OperatorProcess;
}

/** One part of the story. It rejects when it did not come out as it should. */
export interface Step {
  readonly title: string;
  run(context: StoryContext): Promise<void>;
}

/** What is wrong with the world at the end of a step. */
export class StoryError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StoryError';
  }
}

/** Throws when the story has gone wrong. */
export function expect(holds: boolean, otherwise: string): void {
  if (!holds) throw new StoryError(otherwise);
}
