/** A thing that must not be done to hardware, and was done. */
export interface NodeFault {
  readonly node: string;
  /** The GPU's UUID. */
  readonly uuid: string;
  /**
   * `pulledWhileBound`: the fabric took it while the driver still had it. `pulledWhileOpen`: while a process had it open.
   * `fixedDrained`, `fixedRemoved`: a GPU that is no business of the fabric's was drained, or taken off its host.
   * `leftUnfenced`: it began to leave, or was taken, while the scheduler could still give it, or a part of it, to a pod.
   */
  readonly what: 'pulledWhileBound' | 'pulledWhileOpen' | 'fixedDrained' | 'fixedRemoved' | 'leftUnfenced';
  /** What held it: the driver, persistence mode, processes by name and pid; the entries of the slice that pods could be given. */
  readonly heldBy: readonly string[];
  /** On the clock's monotonic scale, in milliseconds. */
  readonly atMs: number;
}

/** A fault in words. */
export function faultWords({ node, uuid, what, heldBy }: NodeFault): string {
  return `${node}: ${uuid} ${what}${heldBy.length > 0 ? `, held by ${heldBy.join(', ')}` : ''}`;
}
