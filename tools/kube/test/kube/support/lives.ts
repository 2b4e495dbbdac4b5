import { systemClock as clock } from '@cro/clock';
import { removeLease, startContender, type Contender, type ContenderTimes } from './contender.ts';
import type { Held, Moment } from './gate.ts';
import type { World } from './world.ts';

const PATIENCE_MS = 60_000;
/** Of a pod, by default (`terminationGracePeriodSeconds`). */
const GRACE_MS = 30_000;

/** Operators one after the other: when one has ended, the next one takes over. */
export class Lives {
  readonly #world: World;
  readonly #times: ContenderTimes;
  readonly #all: Contender[] = [];
  #present: Contender | undefined;

  constructor(world: World, times: ContenderTimes) {
    this.#world = world;
    this.#times = times;
  }

  /** The one that runs. */
  get present(): Contender {
    if (this.#present === undefined) throw new Error('nobody was started');
    return this.#present;
  }

  /** All that there were. */
  get all(): readonly Contender[] {
    return this.#all;
  }

  /** Starts one when there is no other any more, and waits until it leads and has swept the fabric. */
  async next(times: ContenderTimes = this.#times): Promise<void> {
    const before = this.#present;
    const next = await startContender(this.#world, `operator-${this.#all.length}`, times);
    this.#all.push(next);
    this.#present = next;
    await next.untilLeads();
    await next.untilSettled();
    await before?.close();
  }

  /** Waits until the present one has come to a moment on the way that `go` sends it. */
  async reach(moment: Moment, go: () => Promise<void>): Promise<Held> {
    const [held] = await Promise.all([this.present.gate.hold(moment, PATIENCE_MS), go()]);
    return held;
  }

  /** Kills it at a moment; what was held there is lost, or `arrives` after its death. Another one takes over. */
  async crashAt(moment: Moment, go: () => Promise<void>, fate: 'lost' | 'arrives' = 'lost'): Promise<void> {
    const held = await this.reach(moment, go);
    await this.present.program.kill();
    if (fate === 'lost') held.drop();
    else held.release();
    await removeLease(this.#world);
    await this.next();
  }

  /** Cuts the connection of a request at a moment: of an answer nothing is left, and of a request that was not yet sent neither. */
  async cutAt(moment: Moment, go: () => Promise<void>): Promise<void> {
    const held = await this.reach(moment, go);
    held.drop();
  }

  /** Asks it to end at a moment; what is held there goes on after that. Another one takes over. Answers how it ended. */
  async stopAt(moment: Moment, go: () => Promise<void>): Promise<string> {
    const held = await this.reach(moment, go);
    const how = await this.present.program.stop(clock, GRACE_MS);
    held.release();
    await this.next();
    return how;
  }

  /** Asks the present one to end, and starts another one, with other times perhaps. Answers how it ended. */
  async stop(times?: ContenderTimes): Promise<string> {
    const how = await this.present.program.stop(clock, PATIENCE_MS);
    await this.next(times);
    return how;
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    await this.#present?.close();
  }
}
