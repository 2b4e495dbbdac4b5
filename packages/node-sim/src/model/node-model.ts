import type { ContainerView } from './container-view.ts';

/** A command for a container. The program is `argv[0]`; no shell is involved. */
export interface PodCommand {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly argv: readonly string[];
  /** All of its input; absent when it has none. */
  readonly stdin?: string;
}

/** A command, with what its container has of the host. */
export interface ContainerCommand extends PodCommand {
  readonly view: ContainerView;
}

/** How a command ended, as a container runtime tells it. */
export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** What happens on a node: the one place that answers commands, whichever API server they come through. */
export interface NodeModel {
  /** Runs a command. `signal` aborts when the client has hung up: nobody waits for the result then. */
  exec(command: ContainerCommand, signal: AbortSignal): Promise<CommandResult>;
}
