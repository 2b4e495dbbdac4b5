import type { Clock } from '@cro/clock';
import type { Host } from './host/host.ts';
import type { NodeModel } from './node-model.ts';
import { rootsOf } from './roots.ts';

/** A node with GPUs: its containers run commands and scripts that see, and change, the host. */
export function gpuNode(host: Host, clock: Clock): NodeModel {
  const roots = rootsOf(host, clock);
  return {
    exec: ({ argv, stdin = '', view }, signal) => roots[view].run(argv, stdin, signal),
  };
}
