import { errorOfAnswer, type Answer } from '../client/api-error.ts';
import { isObject, objectField, parseJson, textField } from '../json.ts';

/** How a command ended. `message` is in words for a person, and names neither tokens nor input. */
export type ExecOutcome =
  | { readonly tag: 'exited'; readonly code: number; readonly stdout: string; readonly stderr: string }
  /** There is no such pod, for the API server or for the node's kubelet. */
  | { readonly tag: 'notFound'; readonly message: string }
  /** The API server did not let it run. `status` is of HTTP, 0 where the request was wrong and was not sent. */
  | { readonly tag: 'refused'; readonly status: number; readonly message: string }
  /** The API server, or behind it the kubelet, was not reached: nothing ran. */
  | { readonly tag: 'unreachable'; readonly message: string }
  /** The container runtime could not run it. */
  | { readonly tag: 'failed'; readonly message: string }
  /** It has begun, or may have, and nobody knows how it ended. */
  | { readonly tag: 'lost'; readonly message: string }
  /** More output than was allowed; it may go on running. */
  | { readonly tag: 'tooMuchOutput'; readonly maxOutputBytes: number }
  /** The deadline has passed; it may go on running. */
  | { readonly tag: 'timedOut'; readonly deadlineMs: number }
  /** The signal aborted; it may go on running. */
  | { readonly tag: 'aborted' };

/** An API server that cannot serve now: its storage or the node behind it is away. */
const NOT_NOW = 500;

/** The outcome of an upgrade that was answered with a plain response. */
export function outcomeOfAnswer(answer: Answer): ExecOutcome {
  const { status, message } = errorOfAnswer(answer);
  if (status === 404) return { tag: 'notFound', message };
  return status >= NOT_NOW ? { tag: 'unreachable', message } : { tag: 'refused', status, message };
}

/** Of a message: a kubelet may send megabytes. */
const LONGEST_MESSAGE = 4_096;

/** The outcome that a Status on the error channel tells (k8s.io/apimachinery/pkg/util/remotecommand). */
export function outcomeOfStatus(text: string, stdout: string, stderr: string): ExecOutcome {
  const parsed = parseJson(text);
  const status = parsed.tag === 'ok' ? parsed.value : undefined;
  const code = exitCodeOf(status);
  if (code !== undefined) return { tag: 'exited', code, stdout, stderr };
  const message = textField(status, 'message')?.slice(0, LONGEST_MESSAGE) ?? 'it ended without an exit code';
  return { tag: tagOf(message), message };
}

/** meta/v1 `Status`: Success, or Failure with the exit code among its causes. */
function exitCodeOf(status: unknown): number | undefined {
  if (textField(status, 'status') === 'Success') return 0;
  const { causes } = objectField(status, 'details');
  const list: readonly unknown[] = Array.isArray(causes) ? causes : [];
  const code = list.find((cause) => isObject(cause) && cause.reason === 'ExitCode');
  const text = textField(code, 'message');
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

/**
 * Since the API server speaks WebSocket itself (1.30), it opens the client's connection before it calls the kubelet; what
 * goes wrong there comes on the error channel, and differs by its text alone. A text that is not known is no promise that
 * nothing ran: a kubelet that vanished meanwhile is `Timeout occurred`, after half a minute.
 */
function tagOf(message: string): 'notFound' | 'unreachable' | 'failed' | 'lost' {
  if (message.endsWith('pod does not exist')) return 'notFound';
  if (isNotConnected(message)) return 'unreachable';
  return message.includes('error executing command in container') ? 'failed' : 'lost';
}

/** Only where the kubelet was not even dialled, or refused: a request that was cut off may have reached it. */
function isNotConnected(message: string): boolean {
  if (message.includes('error dialing backend') || message.includes('unable to upgrade connection')) return true;
  const [, ...behind] = message.split('error sending request: ');
  return behind.some((text) => /\bdial tcp\b/.test(text));
}
