/** A command for a container. */
export interface KubeletExec {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
  readonly tty: boolean;
}

/** The streams of a running command. */
export interface KubeletStreams {
  /** What the client sends; undefined when it sends nothing. */
  readonly stdin: AsyncIterable<string> | undefined;
  stdout(text: string): void;
  stderr(text: string): void;
}

/** What a fake kubelet asks to do its work. `run` is an exec script of `@cro/kube-sim`, too. */
export interface KubeletBackend {
  /** Whether that node runs that pod. If not, the client is answered 404, as by any kubelet. */
  hasPod(node: string, namespace: string, pod: string): boolean;
  /** Runs a command, and answers its exit code. `signal` aborts when the client hangs up. Rejects when it cannot run. */
  run(exec: KubeletExec, streams: KubeletStreams, signal: AbortSignal): Promise<number>;
}
