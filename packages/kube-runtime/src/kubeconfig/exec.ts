import { Readable } from 'node:stream';
import type { KubeConfig } from '@kubernetes/client-node/dist/config.js';
// By its own path: see load.ts.
import { Exec } from '@kubernetes/client-node/dist/exec.js';
import { isObject, messageOf, objectField, textField } from '../json.ts';
import { Output } from './output.ts';

/** A command to run in a container. */
export interface ExecRequest {
  readonly namespace: string;
  readonly pod: string;
  /** Default: the pod's default container. */
  readonly container?: string;
  /** The program and its arguments; no shell is involved. */
  readonly command: readonly string[];
  readonly stdin?: string;
  /** Of stdout and of stderr each. Default 1 MiB. */
  readonly maxOutputBytes?: number;
  /** Ends the connection. The command may go on running. */
  readonly signal: AbortSignal;
}

/** How a command ended. */
export type ExecOutcome =
  | { readonly tag: 'exited'; readonly code: number; readonly stdout: string; readonly stderr: string }
  /** It did not run, or nobody knows how it ended. */
  | { readonly tag: 'failed'; readonly message: string };

/** The part of a WebSocket that is used here. */
interface Socket {
  close(): void;
  addEventListener(type: 'close', listener: () => void): void;
}

/** What the API allows as the name of a namespace, a pod or a container (RFC 1123 labels; pods may have dots). */
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

const DEFAULT_OUTPUT_BYTES = 1_048_576;

/** Runs a command in a container, over WebSocket (`v5.channel.k8s.io`). It never throws. */
export function execInPod(config: KubeConfig, request: ExecRequest): Promise<ExecOutcome> {
  const problem = request.signal.aborted ? messageOf(request.signal.reason) : problemOf(request);
  if (problem !== undefined) return Promise.resolve({ tag: 'failed', message: problem });
  return new Promise((resolve) => {
    run(config, request, resolve);
  });
}

function run(config: KubeConfig, request: ExecRequest, resolve: (outcome: ExecOutcome) => void): void {
  const { namespace, pod, container = '', command, stdin, signal, maxOutputBytes = DEFAULT_OUTPUT_BYTES } = request;
  let socket: Socket | undefined;
  const end = (outcome: ExecOutcome) => {
    signal.removeEventListener('abort', onAbort);
    resolve(outcome);
    socket?.close();
  };
  const fail = (message: string) => {
    end({ tag: 'failed', message: `exec in ${namespace}/${pod}: ${message}` });
  };
  const onAbort = () => {
    fail(messageOf(signal.reason));
  };
  const onFull = () => {
    fail(`more than ${maxOutputBytes} bytes of output`);
  };
  const stdout = new Output(maxOutputBytes, onFull);
  const stderr = new Output(maxOutputBytes, onFull);
  const onStatus = (status: unknown) => {
    const code = exitCodeOf(status);
    if (code === undefined) fail(textField(status, 'message') ?? 'it ended without an exit code');
    else end({ tag: 'exited', code, stdout: stdout.text, stderr: stderr.text });
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const input = stdin === undefined ? null : Readable.from([Buffer.from(stdin)]);
  new Exec(config)
    .exec(namespace, pod, container, [...command], stdout, stderr, input, false, onStatus)
    .then((opened: unknown) => {
      if (!isSocket(opened)) {
        fail('the connection is no WebSocket');
        return;
      }
      socket = opened;
      // After a status this comes too, and then changes nothing: a promise resolves once.
      opened.addEventListener('close', () => {
        fail('the connection was closed before the command ended');
      });
      if (signal.aborted) opened.close();
    })
    .catch((error: unknown) => {
      // A failed handshake comes as an event with a message, not as an Error.
      fail(textField(error, 'message') ?? (error instanceof Error ? messageOf(error) : eventMessage(error)));
    });
}

/** meta/v1 `Status` of an exec: Success, or Failure with the exit code among its causes. */
function exitCodeOf(status: unknown): number | undefined {
  if (textField(status, 'status') === 'Success') return 0;
  const { causes } = objectField(status, 'details');
  const list: readonly unknown[] = Array.isArray(causes) ? causes : [];
  const code = list.find((cause) => isObject(cause) && cause.reason === 'ExitCode');
  const text = textField(code, 'message');
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

function eventMessage(event: unknown): string {
  const message = typeof event === 'object' && event !== null && 'message' in event ? event.message : undefined;
  return typeof message === 'string' ? message : 'the connection failed';
}

function isSocket(value: unknown): value is Socket {
  return typeof value === 'object' && value !== null && 'close' in value && 'addEventListener' in value;
}

function problemOf({ namespace, pod, container, command }: ExecRequest): string | undefined {
  for (const [field, value] of Object.entries({ namespace, pod, container })) {
    if (value !== undefined && !NAME.test(value)) {
      return `exec: ${field} is ${JSON.stringify(value)}; accepted are lower-case letters, digits, "-" and "."`;
    }
  }
  return command.length === 0 ? 'exec: command is empty' : undefined;
}
