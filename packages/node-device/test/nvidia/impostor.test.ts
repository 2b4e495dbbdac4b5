import { expect, test } from 'vitest';
import { modelNode } from './model-node.ts';

/* A process may call itself anything, also what the operator makes an exception for. */

test.each([
  ['in a container', { driver: 'container', persistenced: 'keeps' }],
  ['in a container that has no daemon', { driver: 'container', persistenced: 'none' }],
  ['on a host', { driver: 'host', persistenced: 'follows' }],
] as const)(
  'a GPU is not taken from a process that calls itself nvidia-persistenced, with its driver %s',
  async (_where, host) => {
    const { drain, host: node, refTo, left } = await modelNode(host, 2);
    const pid = node.run({ comm: 'nvidia-persiste', opens: [refTo(0).deviceId], computes: false });
    const message = expect.stringContaining(`is open in process ${pid} (nvidia-persiste)`) as string;
    expect(await drain(0)).toEqual({ tag: 'failed', failure: { kind: 'Busy', message } });
    expect(left()).toContain(refTo(0).deviceId);
    expect(node.processes().some((one) => one.pid === pid)).toBe(true);
    node.end(pid);
    expect(await drain(0)).toEqual({ tag: 'done' });
  },
);
