import { query } from '../path.ts';

/** A command to run in a container. */
export interface ExecRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** The program and its arguments; no shell is involved. */
  readonly argv: readonly string[];
  /** What it reads on its standard input, which then ends. Absent: it has none. */
  readonly stdin?: string;
  /** Of stdout and of stderr each. Default 1 MiB. */
  readonly maxOutputBytes?: number;
  /** The time that all of it may take, in milliseconds. */
  readonly deadlineMs: number;
  /** Closes the connection. Nobody then reads the command's output, but it may go on running. */
  readonly signal?: AbortSignal;
}

/** What the API allows as the name of a namespace, a pod or a container (RFC 1123; pods may have dots). */
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

/** Says what is wrong with a request that must not be sent. */
export function problemOf({ namespace, pod, container, argv }: ExecRequest): string | undefined {
  for (const [field, value] of Object.entries({ namespace, pod, container })) {
    if (!NAME.test(value)) {
      return `exec: ${field} is ${JSON.stringify(value)}; accepted are lower-case letters, digits, "-" and "."`;
    }
  }
  return argv.length === 0 ? 'exec: argv is empty; it has to begin with a program' : undefined;
}

/** Path and query (core/v1 `PodExecOptions`). */
export function pathOf({ namespace, pod, container, argv, stdin }: ExecRequest): string {
  const options = query({ container, stdout: true, stderr: true, stdin: stdin === undefined ? undefined : true });
  const command = argv.map((word) => `&command=${encodeURIComponent(word)}`).join('');
  return `/api/v1/namespaces/${namespace}/pods/${pod}/exec${options}${command}`;
}
