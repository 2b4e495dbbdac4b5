import type { Clock } from '@cro/clock';
import { startProgram, type Program, type ProgramOptions } from './program.ts';

const STOP_WITHIN_MS = 20_000;

/** Programs that belong together: each needs those that were started before it. */
export class RunningPrograms {
  readonly #byName = new Map<string, Program>();
  /** Rejects when one of them ends by itself. Never resolves. */
  readonly failed: Promise<never>;
  #fail: (error: unknown) => void = () => undefined;

  constructor() {
    this.failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    // Whoever waits for it sees the error; nobody has to.
    this.failed.catch(() => undefined);
  }

  /** Starts one; one that was started again keeps its place. */
  async start(options: ProgramOptions): Promise<void> {
    const program = await startProgram(options);
    this.#byName.set(options.name, program);
    program.failed.catch(this.#fail);
  }

  /** In the order in which they have to end. */
  list(): readonly Program[] {
    return [...this.#byName.values()].reverse();
  }

  /** Ends one as a crash would. */
  async kill(name: string): Promise<void> {
    await this.#byName.get(name)?.kill();
  }

  async stop(clock: Clock): Promise<void> {
    for (const program of this.list()) await program.stop(clock, STOP_WITHIN_MS);
  }
}
