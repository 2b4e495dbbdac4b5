import type { Exit, OperatorProcess } from './operator-process.ts';

/** What must not happen in a world, and ends every wait in it. */
export class Trouble {
  readonly #controller = new AbortController();

  /** Aborts with the first trouble as its reason. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Something in the world itself does not work. */
  tell(message: string): void {
    this.#controller.abort(new Error(message));
  }

  /** An operator has ended without having been asked to. */
  operatorEnded({ code, signal }: Exit, operator: OperatorProcess): void {
    const how = signal === null ? `with exit code ${code ?? 'unknown'}` : `by ${signal}`;
    this.tell(`the operator ended by itself ${how}; its last words:\n${operator.lastLines(5).join('\n')}`);
  }
}
