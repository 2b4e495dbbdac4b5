import type { Exit, OperatorProcess } from './operator-process.ts';

/** What must not happen in a world, and ends every wait in it. */
export class Trouble {
  readonly #controller = new AbortController();

  /** Aborts with the first trouble as its reason. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whoever the world is for has had enough, for that signal's reason. */
  endsWith(signal: AbortSignal): void {
    const end = () => {
      this.#controller.abort(signal.reason);
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
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
