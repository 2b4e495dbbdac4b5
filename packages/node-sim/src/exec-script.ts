import type { PodCommand } from './model/node-model.ts';
import type { NodeSim } from './node-sim-options.ts';

/** A command as an API server, simulated or real, hands it on. */
export interface ExecRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
}

/** The streams of a command. `stdin` ends when the client closes it, and is undefined where the client has none. */
export interface ExecStreams {
  readonly stdin: AsyncIterable<string> | undefined;
  stdout(text: string): void;
  stderr(text: string): void;
}

/** Runs a command, and answers its exit code. `signal` aborts when the client hangs up. Rejects when it cannot run. */
export type ExecScript = (request: ExecRequest, streams: ExecStreams, signal: AbortSignal) => Promise<number>;

/** Lets the nodes answer exec behind a simulated API server: for `exec` of `@cro/kube-sim`. */
export function execScript(nodes: Pick<NodeSim, 'exec'>): ExecScript {
  const run = kubeletScript(nodes);
  return async (request, streams, signal) => {
    try {
      return await run(request, streams, signal);
    } catch (error) {
      if (error instanceof Unreached) throw error;
      // A kubelet says so to its API server.
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`Internal error occurred: error executing command in container: ${reason}`, { cause: error });
    }
  };
}

/** Lets the nodes answer exec behind a kubelet that a real API server calls. */
export function kubeletScript(nodes: Pick<NodeSim, 'exec'>): ExecScript {
  return async ({ namespace, pod, container, command }, streams, signal) => {
    const order: PodCommand = { namespace, pod, container, argv: command };
    const { stdin } = streams;
    const answer = await nodes.exec(stdin === undefined ? order : { ...order, stdin: await textOf(stdin) }, signal);
    if (answer.tag !== 'ended') throw new Unreached(WORDS[answer.tag]);
    const { stdout, stderr, exitCode } = answer.result;
    if (stdout !== '') streams.stdout(stdout);
    if (stderr !== '') streams.stderr(stderr);
    return exitCode;
  };
}

/** The command has not ended on a node. The message is what kube-apiserver tells its client then. */
class Unreached extends Error {}

const KUBELET = '127.0.0.1:10250';

const WORDS = {
  noPod: 'unable to upgrade connection: pod does not exist',
  noKubelet: `error sending request: Post "https://${KUBELET}/exec": dial tcp ${KUBELET}: connect: connection refused`,
  lost: 'Timeout occurred',
} as const;

async function textOf(stdin: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of stdin) text += part;
  return text;
}
