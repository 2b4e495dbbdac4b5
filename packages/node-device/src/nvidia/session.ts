import { cleanText } from '@cro/cdi-core';
import type { Clock } from '@cro/clock';
import { startDeadline } from '@cro/clock';
import type { Failure } from '@cro/crd-types';
import type { Exec, ExecOutcome } from '@cro/kube-runtime/exec';
import type { DriverPlace } from '../node-cluster.ts';
import type { Command } from './commands.ts';
import type { Read } from './parse/read.ts';
import type { Said } from './parse/report.ts';

/** How long one action may take, beside the wait for its turn: all its commands together. */
const ACTION_MS = 240_000;
/**
 * A node with thousands of processes writes some 100 KiB at most, and 8 KiB for each GPU's configuration space. What a node writes that is
 * not our friend is read at one go: of more than this that would hold up everybody else.
 */
const MOST_OUTPUT_BYTES = 524_288;
/** Of what is told of a failure, in characters. */
const LONGEST_FAILURE = 1_024;

/** A command that has ended by itself, with all that it said and what of that it complained of; or why nobody knows that it has. */
export type Ran = ({ readonly tag: 'exited'; readonly text: string; readonly complaint: string } & Said) | Failed;

/** What did not work, in words. */
export interface Failed {
  readonly tag: 'failed';
  readonly failure: Failure;
}

/** Runs the commands of one action, one after the other, in the place where a node's driver is reached. */
export class Session {
  readonly place: DriverPlace;
  readonly #node: string;
  readonly #exec: Exec;
  readonly #signal: AbortSignal;

  constructor(node: string, place: DriverPlace, exec: Exec, signal: AbortSignal) {
    this.place = place;
    this.#node = node;
    this.#exec = exec;
    this.#signal = signal;
  }

  /** Runs a command. Rejects when the signal aborts. */
  async run(command: Command): Promise<Ran> {
    this.#signal.throwIfAborted();
    const { namespace, pod, container } = this.place;
    const { argv, deadlineMs } = command;
    const outcome = await this.#exec({
      ...{ namespace, pod, container, argv, deadlineMs, signal: this.#signal, maxOutputBytes: MOST_OUTPUT_BYTES },
    });
    this.#signal.throwIfAborted();
    if (outcome.tag !== 'exited') return this.failed(command, kindOf(outcome), wordsOf(outcome));
    const { code, stdout, stderr } = outcome;
    return {
      tag: 'exited',
      code,
      lines: stdout.split('\n'),
      // Warnings go to stderr too: what counts is the exit code. Most commands do well, and nobody reads their words.
      get text() {
        const text = `${stdout}\n${stderr}`.trim();
        return text === '' ? 'it said nothing' : cleanText(text);
      },
      get complaint() {
        return cleanText(stderr);
      },
    };
  }

  /** Runs a command that has to end with 0, and reads what it wrote. */
  async read<T>(
    command: Command,
    parse: (stdout: string) => Read<T>,
  ): Promise<{ readonly tag: 'read'; readonly value: T } | Failed> {
    const ran = await this.run(command);
    if (ran.tag === 'failed') return ran;
    if (ran.code !== 0) return this.failed(command, 'Blocked', `it ended with ${ran.code}: ${ran.text}`);
    const read = parse(ran.lines.join('\n'));
    if (read.tag === 'ok') return { tag: 'read', value: read.value };
    const { complaint } = ran;
    const why = complaint === '' ? read.message : `${read.message} (stderr: ${complaint})`;
    return this.failed(command, 'Protocol', why);
  }

  /** A failure of a command: says where it was run, and what for. `why` may hold what the node said, as it said it. */
  failed({ doing }: Pick<Command, 'doing'>, kind: Failure['kind'], why: string): Failed {
    const { namespace, pod } = this.place;
    const message = cleanText(`${doing} on node ${this.#node} (pod ${namespace}/${pod}): ${why}`, LONGEST_FAILURE);
    return { tag: 'failed', failure: { kind, message } };
  }
}

/** Does what is to be done on a node within the time of one action. Rejects with its reason when `signal` aborts. */
export async function inTime<T>(
  node: string,
  clock: Clock,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | Failed> {
  const deadline = startDeadline(clock, ACTION_MS, signal);
  try {
    return await work(deadline.signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!deadline.expired()) throw error;
    const message = `what was to be done on node ${node} did not end within ${ACTION_MS / 1000} s; it is looked at again`;
    return { tag: 'failed', failure: { kind: 'InDoubt', message } };
  } finally {
    deadline.clear();
  }
}

type NotExited = Exclude<ExecOutcome, { readonly tag: 'exited' }>;

function kindOf(outcome: NotExited): Failure['kind'] {
  switch (outcome.tag) {
    case 'notFound':
    case 'unreachable':
      return 'Unreachable';
    case 'refused':
    case 'failed':
      return 'Blocked';
    case 'tooMuchOutput':
      return 'Protocol';
    case 'lost':
    case 'timedOut':
    case 'aborted':
      return 'InDoubt';
  }
}

function wordsOf(outcome: NotExited): string {
  switch (outcome.tag) {
    case 'notFound':
    case 'unreachable':
    case 'failed':
    case 'lost':
      return cleanText(outcome.message);
    case 'refused':
      return `the API server refused it (${outcome.status}): ${cleanText(outcome.message)}`;
    case 'tooMuchOutput':
      return `it wrote more than ${outcome.maxOutputBytes} bytes`;
    case 'timedOut':
      return `it did not end within ${outcome.deadlineMs / 1000} s; it is looked at again`;
    case 'aborted':
      return 'it was given up';
  }
}
