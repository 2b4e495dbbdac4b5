// How the fake kubelet (go/fake-kubelet) and the process that started it talk: lines of JSON over connections to a Unix
// socket, which lies in a folder that nobody else may enter.
//
// The kubelet opens one connection when it starts, says `control`, and is told there which nodes to serve. When that
// connection ends, it ends. For each exec it opens another, says `exec`, and is answered `accepted` or `refused`;
// then come the command's input from the one side, and its output and end from the other. Who hangs up, closes the connection.

/** What opens a connection: the first line of the kubelet. */
export type Opening =
  | { readonly tag: 'control' }
  | {
      readonly tag: 'exec';
      readonly node: string;
      readonly namespace: string;
      readonly pod: string;
      readonly container: string;
      readonly command: readonly string[];
      readonly tty: boolean;
      /** Whether `stdin` and `stdinEnd` will follow. */
      readonly stdin: boolean;
    };

/** What the kubelet says on the control connection, in the order in which it was told. */
export type ControlAnswer =
  | { readonly tag: 'listening'; readonly node: string; readonly port: number }
  | { readonly tag: 'closed'; readonly node: string }
  | { readonly tag: 'failed'; readonly node: string; readonly message: string };

/** What it is told there. */
export interface ControlOrder {
  readonly tag: 'listen' | 'close';
  readonly node: string;
}

/** What follows from the kubelet's side of an exec. `data` is base64. */
export type Input = { readonly tag: 'stdin'; readonly data: string } | { readonly tag: 'stdinEnd' };

/** What it is answered in an exec. `data` is base64; `status` is of HTTP. */
export type Answer =
  | { readonly tag: 'accepted' }
  | { readonly tag: 'refused'; readonly status: number; readonly message: string }
  | { readonly tag: 'stdout' | 'stderr'; readonly data: string }
  | { readonly tag: 'exit'; readonly code: number }
  /** The command could not be run, or broke. */
  | { readonly tag: 'failed'; readonly message: string };

/** Reads the first line of a connection. Throws when it is none of those above. */
export function parseOpening(line: string): Opening {
  const value = objectOf(line);
  if (value['tag'] === 'control') return { tag: 'control' };
  if (value['tag'] !== 'exec') throw unexpected(line);
  const { command } = value;
  return {
    tag: 'exec',
    node: text(value, 'node'),
    namespace: text(value, 'namespace'),
    pod: text(value, 'pod'),
    container: text(value, 'container'),
    command: Array.isArray(command) ? command.map(String) : [],
    tty: value['tty'] === true,
    stdin: value['stdin'] === true,
  };
}

/** Reads a line of the control connection. */
export function parseControlAnswer(line: string): ControlAnswer {
  const value = objectOf(line);
  const { tag, port } = value;
  const node = text(value, 'node');
  if (tag === 'listening' && typeof port === 'number') return { tag, node, port };
  if (tag === 'closed') return { tag, node };
  if (tag === 'failed') return { tag, node, message: text(value, 'message') };
  throw unexpected(line);
}

/** Reads a line of an exec. */
export function parseInput(line: string): Input {
  const value = objectOf(line);
  const { tag } = value;
  if (tag === 'stdin') return { tag, data: text(value, 'data') };
  if (tag === 'stdinEnd') return { tag };
  throw unexpected(line);
}

function objectOf(line: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(line);
  if (typeof value !== 'object' || value === null) throw unexpected(line);
  return Object.fromEntries(Object.entries(value));
}

function text(value: Readonly<Record<string, unknown>>, field: string): string {
  const found = value[field];
  if (typeof found === 'string') return found;
  throw new Error(`the kubelet sent ${JSON.stringify(value)}: ${field} is missing`);
}

function unexpected(line: string): Error {
  return new Error(`the kubelet sent ${line}, which is not expected there`);
}
