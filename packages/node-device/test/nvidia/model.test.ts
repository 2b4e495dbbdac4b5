import { describe, expect, test } from 'vitest';
import { modelNode, type Between, type ModelNode } from './model-node.ts';

const { signal } = new AbortController();
const FIXED = { uuid: 'GPU-ffffffff-0000-0000-0000-00000000000f', serial: '99', model: 'NVIDIA L4', memoryMiB: 24_576 };

describe.each([
  ['in a container', { driver: 'container' }],
  ['in a container, in a virtual machine', { driver: 'container', vm: true }],
  ['on the host', { driver: 'host' }],
  ['on a host without nvidia-persistenced', { driver: 'host', persistenced: 'none', persistenceMode: true }],
] as const)('a driver %s', (_, host) => {
  test('lets the fabric take its GPUs one after the other, the last one too', async () => {
    const { drain, nodes, take, refTo, left, warnings } = await modelNode(host, 3);
    for (const index of [1, 0, 2]) {
      expect(await drain(index)).toEqual({ tag: 'done' });
      expect(left()).not.toContain(refTo(index).deviceId);
      take(index);
    }
    nodes.assertNoFaults();
    expect(warnings).toEqual([]);
  });

  test('a drain that is repeated finds the GPU gone', async () => {
    const { drain, left } = await modelNode(host, 2);
    expect(await drain(0)).toEqual({ tag: 'done' });
    expect(await drain(0)).toEqual({ tag: 'done' });
    expect(left()).toHaveLength(1);
  });

  test('a daemon that holds the GPU is named and the GPU stays; when it has let go, the GPU leaves', async () => {
    const { drain, host: node, refTo, left } = await modelNode(host, 2);
    const pid = node.run({ comm: 'dcgm-exporter', opens: [refTo(0).deviceId], computes: false });
    const message = expect.stringContaining(`dcgm-exporter`) as string;
    expect(await drain(0)).toMatchObject({ tag: 'failed', failure: { kind: 'Busy', message } });
    expect(left()).toHaveLength(2);
    node.end(pid);
    expect(await drain(0)).toEqual({ tag: 'done' });
  });

  test('a drain that is refused because a process has the GPU open changes nothing on the node', async () => {
    const { drain, host: node, refTo } = await modelNode(host, 2);
    node.run({ comm: 'dcgm-exporter', opens: [refTo(0).deviceId], computes: false });
    const before = [node.gpus(), node.processes()];
    expect(await drain(0)).toMatchObject({ tag: 'failed', failure: { kind: 'Busy' } });
    expect([node.gpus(), node.processes()]).toEqual(before);
  });

  test('a process that computes is load, one on a MIG device too', async () => {
    const { actions, host: node, refTo } = await modelNode(host, 2);
    expect(await actions.findLoad(refTo(0), signal)).toEqual({ tag: 'idle' });
    const mig = 'MIG-11111111-0000-4000-8000-000000000001';
    node.setMig(refTo(0).deviceId, [mig]);
    const pid = node.run({ comm: 'python3', opens: [refTo(0).deviceId], mig });
    expect(await actions.findLoad(refTo(0), signal)).toMatchObject({ tag: 'inUse' });
    expect(await actions.findLoad(refTo(1), signal)).toEqual({ tag: 'idle' });
    node.end(pid);
    node.setWarning('WARNING: infoROM is corrupted at gpu 0000:10:00.0\n');
    expect(await actions.findLoad(refTo(0), signal)).toEqual({ tag: 'idle' });
  });

  test('a drain costs two commands, and a third where the persistence daemon has to be started again', async () => {
    const { drain, commands } = await modelNode(host, 2);
    await drain(0);
    expect(commands).toHaveLength(host.driver === 'container' ? 3 : 2);
  });
});

describe('force', () => {
  test('does not ask who has the GPU open; whether it lets go is the driver’s word', async () => {
    const { drain, host, refTo, left, take, nodes } = await modelNode({ driver: 'container' }, 2);
    const pid = host.run({ comm: 'python3', opens: [refTo(0).deviceId] });
    const message = expect.stringMatching(
      /the driver still has it: exit code \d+, .*In use by another client/,
    ) as string;
    expect(await drain(0, true)).toMatchObject({ tag: 'failed', failure: { kind: 'Busy', message } });
    expect(left()).toHaveLength(2);
    host.end(pid);
    expect(await drain(0, true)).toEqual({ tag: 'done' });
    take(0);
    nodes.assertNoFaults();
  });

  test.each([
    ['a virtual machine', { driver: 'container', vm: true }, 2],
    ['the last GPU of a host', { driver: 'host' }, 1],
  ] as const)('%s: the kernel is not made to wait for those who have it open', async (_, spec, gpus) => {
    const { drain, host, refTo, commands } = await modelNode(spec, gpus);
    host.run({ comm: 'python3', opens: [refTo(0).deviceId] });
    const message = expect.stringMatching(/\/dev\/nvidia0 is open in process \d+ \(python3\)$/) as string;
    expect(await drain(0, true)).toMatchObject({ tag: 'failed', failure: { kind: 'Busy', message } });
    expect(commands.some((command) => command.includes('tee'))).toBe(false);
  });
});

test('the GPUs that stay have persistence mode again, and one that is fixed is not touched', async () => {
  const { drain, host, refTo, take, nodes, left } = await modelNode({ driver: 'container', fixedGpus: [FIXED] }, 2);
  expect(await drain(0)).toEqual({ tag: 'done' });
  take(0);
  const states = host.gpus().map(({ uuid, persistent, draining }) => [uuid, persistent, draining]);
  expect(states).toContainEqual([FIXED.uuid, true, false]);
  expect(states).toContainEqual([refTo(1).deviceId, true, false]);
  expect(await drain(1)).toEqual({ tag: 'done' });
  take(1);
  expect(left()).toEqual([FIXED.uuid]);
  nodes.assertNoFaults();
});

test('GPUs of one node that leave at the same time leave one after the other, and the daemon comes back once', async () => {
  const { actions, refTo, take, nodes, commands } = await modelNode({ driver: 'container' }, 4);
  const drains = [0, 1, 2].map((index) => actions.drain({ ...refTo(index), force: false }, signal));
  for (const outcome of await Promise.all(drains)) expect(outcome).toEqual({ tag: 'done' });
  for (const index of [0, 1, 2]) take(index);
  nodes.assertNoFaults();
  expect(commands.filter((command) => command.includes('nvidia-persistenced --persistence-mode'))).toHaveLength(1);
});

describe('the daemon of a container that was ended for a drain which then was refused', () => {
  const runs = ({ host }: ModelNode) => host.processes().some(({ comm }) => comm === 'nvidia-persiste');
  /** Does something just before the `at`-th command reaches the node. */
  const before =
    (at: number, act: () => void): Between =>
    (run, _request, index) => {
      if (index === at) act();
      return run();
    };

  test.each([false, true])('is there again at the end of the drain (forced: %s)', async (force) => {
    const node = await modelNode({ driver: 'container' }, 2);
    const open = () => void node.host.run({ comm: 'python3', opens: [node.refTo(0).deviceId] });
    // Between the look at who has it open and its removal.
    const actions = node.actionsWith(before(2, open));
    expect(await actions.drain({ ...node.refTo(0), force }, signal)).toMatchObject({ failure: { kind: 'Busy' } });
    expect(node.commands.at(-1)).toContain('nvidia-persistenced --persistence-mode');
    expect(runs(node)).toBe(true);
    expect(node.host.gpus()[1]).toMatchObject({ persistent: true });
  });

  test('is there again when the GPU is seen to be in use, by whoever begins anew after a crash', async () => {
    const node = await modelNode({ driver: 'container' }, 2);
    const stop = new AbortController();
    const doomed = node.actionsWith((run, _request, index) => {
      if (index !== 2) return run();
      stop.abort(new Error('the process was killed'));
      return Promise.resolve({ tag: 'aborted' });
    });
    await expect(doomed.drain({ ...node.refTo(0), force: false }, stop.signal)).rejects.toThrow('killed');
    expect(runs(node)).toBe(false);
    node.host.run({ comm: 'python3', opens: [node.refTo(0).deviceId] });
    expect(await node.actions.findLoad(node.refTo(0), signal)).toMatchObject({ tag: 'inUse' });
    expect(runs(node)).toBe(true);
  });

  test('is started by the last that has something to do on the node, whatever that is', async () => {
    const node = await modelNode({ driver: 'container' }, 3);
    const drained = node.actions.drain({ ...node.refTo(0), force: false }, signal);
    const listed = node.actions.refresh(node.refTo(1), 'visible', signal);
    expect([await drained, await listed]).toEqual([{ tag: 'done' }, { tag: 'done' }]);
    expect(runs(node)).toBe(true);
    expect(node.commands.filter((command) => command.includes('nvidia-persistenced --'))).toHaveLength(1);
  });
});

test('what has a GPU of the node that is not asked about open is in nobody’s way', async () => {
  const { actions, drain, host, refTo } = await modelNode({ driver: 'host', fixedGpus: [FIXED] }, 2);
  host.run({ comm: 'python3', opens: [FIXED.uuid, refTo(1).deviceId] });
  expect(await actions.findLoad(refTo(0), signal)).toEqual({ tag: 'idle' });
  expect(await drain(0)).toEqual({ tag: 'done' });
});

test.each([0, 6])(
  'a host whose nvidia-smi says with exit code %i that there is no GPU can be asked',
  async (noDevicesExitCode) => {
    const { actions, refTo } = await modelNode({ driver: 'host', noDevicesExitCode }, 0);
    expect(await actions.ensureDriver('worker-0', signal)).toEqual({ tag: 'done' });
    expect(await actions.refresh({ ...refTo(0), deviceId: FIXED.uuid }, 'visible', signal)).toEqual({ tag: 'done' });
    expect(await actions.findLoad({ ...refTo(0), deviceId: FIXED.uuid }, signal)).toEqual({ tag: 'idle' });
  },
);

test('a host without a driver is told so', async () => {
  const { actions } = await modelNode({ driver: 'none' }, 0);
  const message = expect.stringContaining('the host has no module nvidia') as string;
  expect(await actions.ensureDriver('worker-0', signal)).toMatchObject({ failure: { kind: 'Blocked', message } });
});

test('without chroot at a fixed place nothing is done, and it is said where it was looked for', async () => {
  const { drain, left } = await modelNode({ driver: 'container', chrootPaths: [] }, 1);
  const message = expect.stringContaining('no chroot in /usr/sbin') as string;
  expect(await drain(0)).toMatchObject({ failure: { kind: 'Blocked', message } });
  expect(left()).toHaveLength(1);
});
