/** What a client wants to run in a container. */
export interface ExecRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
  readonly tty: boolean;
}

/** The streams of a running command. */
export interface ExecIo {
  /** What the client sends; ends when the client closes it. Undefined when the client sends nothing. */
  readonly stdin: AsyncIterable<string> | undefined;
  stdout(text: string): void;
  stderr(text: string): void;
}

/**
 * Runs a command and answers its exit code. `signal` aborts when the client hangs up. What it
 * rejects with is told to the client, as `Internal error occurred: ...`.
 */
export type ExecScript = (request: ExecRequest, io: ExecIo, signal: AbortSignal) => Promise<number>;
