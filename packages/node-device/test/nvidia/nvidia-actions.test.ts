import { VirtualClock } from '@cro/clock/testing';
import type { Exec } from '@cro/kube-runtime/exec';
import { beforeEach, expect, test } from 'vitest';
import { NodeLooks, nvidiaActions, type LoadOutcome, type NodeActions, type NodeCluster } from '../../src/index.ts';
import { listGpus, MODULES_IN_THE_WAY, quiesce, readLoad, remove } from '../../src/nvidia/commands.ts';
import { GpuUuid, PciAddress } from '../../src/nvidia/patterns.ts';
import { configSpace } from './config-space.ts';
import { A, B, exited, FakeNode } from './fake-node.ts';

const { signal } = new AbortController();
const ref = { node: 'worker-0', deviceId: A, resource: 'gpu-1' };

let node: FakeNode;
let driver: 'container' | 'host' | 'none';
let users: LoadOutcome;
let published: string[];
let warnings: string[];

beforeEach(() => {
  node = new FakeNode();
  driver = 'container';
  users = { tag: 'idle' };
  published = [];
  warnings = [];
});

function actions(seenIn: 'slices' | 'looks' = 'slices', looks = new NodeLooks(), exec: Exec = node.exec): NodeActions {
  const cluster: NodeCluster = {
    driverOf: () =>
      driver === 'none'
        ? { tag: 'noDriver', message: 'none' }
        : { tag: 'place', place: { driver, namespace: 'gpu-operator', pod: 'driver-x', container: 'ctr' } },
    usersOf: () => Promise.resolve(users),
    allocatedTo: () => users,
    looked: (_device, outcome) => outcome,
    restartPublisher: (device, wanted) => {
      published.push(`${device.deviceId} ${wanted}`);
      return Promise.resolve({ tag: 'done' });
    },
  };
  const log = { warn: (message: string) => warnings.push(message) };
  return nvidiaActions({ exec, cluster, clock: new VirtualClock(), log, looks, seenIn });
}

test('container driver: the order of a drain, and the daemon is there again for the others', async () => {
  node.persistenced = 'running';
  expect(await actions().drain({ ...ref, force: false }, signal)).toEqual({ tag: 'done' });
  expect(node.calls).toEqual([
    `end-persistenced ${A} unlessOpen quiesce ${A}`,
    `remove ${A} 0000:1f:00.0 0000:1F:00.0 0 serving nvidia-smi`,
    'start-persistenced',
  ]);
  expect(node.gpus.map(({ uuid }) => uuid)).toEqual([B]);
});

test('host driver, last GPU: what uses the driver is unloaded, and the kernel removes the GPU', async () => {
  driver = 'host';
  node.gpus = node.gpus.slice(0, 1);
  node.modules = ['nvidia_uvm', 'nvidia_drm', 'nvidia'];
  expect(await actions().drain({ ...ref, force: false }, signal)).toEqual({ tag: 'done' });
  expect(node.calls.slice(1)).toEqual([`remove ${A} 0000:1f:00.0 0000:1F:00.0 0 serving kernel nvidia_drm nvidia_uvm`]);
});

test('a process in the way is named, and nothing more is done; force does not ask', async () => {
  node.holders = [
    { pid: 7, minor: 1, name: 'other' },
    { pid: 8, minor: 0, name: 'dcgm-exporter' },
  ];
  const message =
    'draining the GPU on node worker-0 (pod gpu-operator/driver-x): /dev/nvidia0 is open in process 8 (dcgm-exporter)';
  expect(await actions().drain({ ...ref, force: false }, signal)).toEqual({
    tag: 'failed',
    failure: { kind: 'Busy', message },
  });
  expect(node.calls).toHaveLength(1);
  expect(await actions().drain({ ...ref, force: true }, signal)).toEqual({ tag: 'done' });
});

test('a GPU that is not there has been drained already', async () => {
  node.gpus = node.gpus.slice(1);
  expect(await actions().drain({ ...ref, force: false }, signal)).toEqual({ tag: 'done' });
  expect(node.calls).toHaveLength(1);
});

test('an id that is no UUID stops before anything is run', async () => {
  const outcome = await actions().drain({ ...ref, deviceId: 'GPU-x; reboot', force: true }, signal);
  expect(outcome).toMatchObject({ tag: 'failed', failure: { kind: 'Rejected' } });
  expect(JSON.stringify(outcome)).toContain('status.device_id is');
  const hostile = await actions().drain({ ...ref, deviceId: 'GPU\u202e\u009b2J\nx', force: true }, signal);
  expect(hostile).toMatchObject({
    failure: { message: expect.stringMatching(/^status.device_id is "GPU 2J x"; /) as string },
  });
  expect(node.calls).toEqual([]);
});

test('load is told by claims, by compute processes and by open device files, of this GPU alone', async () => {
  expect(await actions().findLoad(ref, signal)).toEqual({ tag: 'idle' });
  node.apps = [`${B}, 5, /usr/bin/other`];
  node.holders = [{ pid: 6, minor: 0, name: 'nvidia-persiste' }];
  expect(await actions().findLoad(ref, signal)).toEqual({ tag: 'idle' });
  node.apps.push(`${A}, 7, /usr/bin/python3`);
  node.holders.push({ pid: 7, minor: 0, name: 'python3' }, { pid: 8, minor: 0, name: 'dcgm-exporter' });
  const by = 'process 7 (/usr/bin/python3), process 8 (dcgm-exporter)';
  expect(await actions().findLoad(ref, signal)).toEqual({ tag: 'inUse', by });
  users = { tag: 'inUse', by: 'claim default/c' };
  const before = node.calls.length;
  expect(await actions().findLoad(ref, signal)).toEqual(users);
  expect(await actions().findAllocation(ref)).toEqual(users);
  expect(node.calls).toHaveLength(before);
});

test('those who ask for load at once share a look at the node, and each gets its own answer', async () => {
  node.apps = [`${A}, 7, /usr/bin/python3`];
  const shared = actions();
  const asked = [A, B, A].map((deviceId) => shared.findLoad({ ...ref, deviceId }, signal));
  const inUse = { tag: 'inUse', by: 'process 7 (/usr/bin/python3)' };
  expect(await Promise.all(asked)).toEqual([inUse, { tag: 'idle' }, inUse]);
  expect(node.calls).toHaveLength(1);
  node.apps = [];
  expect(await shared.findLoad(ref, signal)).toEqual({ tag: 'idle' });
  expect(node.calls).toHaveLength(2);
});

test('who asks while a look runs waits for it too, and who asks afterwards gets another one', async () => {
  const { exec } = node;
  let more: Promise<LoadOutcome> | undefined;
  const shared = actions('slices', new NodeLooks(), (request) => {
    more ??= shared.findLoad({ ...ref, deviceId: B }, signal);
    return exec(request);
  });
  expect(await shared.findLoad(ref, signal)).toEqual({ tag: 'idle' });
  expect(await more).toEqual({ tag: 'idle' });
  expect(node.calls).toHaveLength(1);
  expect(await shared.findLoad(ref, signal)).toEqual({ tag: 'idle' });
  expect(node.calls).toHaveLength(2);
});

test('the daemon stays ended after a look only where one of the GPUs asked about is to leave', async () => {
  node.persistenced = 'ended';
  node.apps = [`${A}, 7, /usr/bin/python3`];
  const shared = actions();
  await Promise.all([A, B].map((deviceId) => shared.findLoad({ ...ref, deviceId }, signal)));
  expect(node.persistenced).toBe('ended');
  await shared.findLoad(ref, signal);
  expect(node.persistenced).toBe('running');
});

test('a removal whose answer got lost is in doubt, and the next drain sees what came of it', async () => {
  node.trouble = { at: 'remove', outcome: { tag: 'lost', message: 'cut off' } };
  const drain = () => actions().drain({ ...ref, force: false }, signal);
  expect(await drain()).toMatchObject({ tag: 'failed', failure: { kind: 'InDoubt' } });
  node.gpus = node.gpus.map((gpu) => ({ ...gpu, draining: true }));
  expect(await drain()).toEqual({ tag: 'done' });
  expect(node.calls.at(-1)).toContain(' draining nvidia-smi');
});

test.each([
  [['start-exit 15', 'start Failed'], 'setting the drain state on node .*: exit code 15, Failed'],
  [['start-exit 0', 'unlink-exit 1'], 'removing /dev/nvidia0 on node .*: exit code 1, it said nothing'],
  [['start-exit 0', 'unlink-exit 0', 'unload-exit 1', 'unload In use'], 'unloading .*: exit code 1, In use'],
  [['remove-exit 0', 'remove all well'], 'the driver still has it: exit code 0, all well'],
  [[], '0000:1f:00.0 is the address of another GPU by now'],
  [['start-exit 0'], '0000:1f:00.0 is the address of another GPU by now'],
])('a step that fails is told by what it was: %j', async (steps, words) => {
  const there = [`GPU UUID: \t ${A}`, 'Bus Location: \t 0000:1f:00.0', 'Device Minor: \t 0'].map(
    (line) => `/proc/driver/nvidia/gpus/0000:1f:00.0/information:${line}`,
  );
  const answer = [...steps, 'persistenced none', ...there, 'end', ''].join('\n');
  node.trouble = { at: 'remove', outcome: exited(answer) };
  expect(await actions().drain({ ...ref, force: false }, signal)).toMatchObject({
    failure: { kind: 'Busy', message: expect.stringMatching(new RegExp(words)) as string },
  });
});

test('attach: the driver is made to notice, then what publishes; a device that left needs no command', async () => {
  const dra = actions();
  expect(await dra.ensureDriver('worker-0', signal)).toEqual({ tag: 'done' });
  expect(await dra.refresh(ref, 'visible', signal)).toEqual({ tag: 'done' });
  expect(node.calls).toHaveLength(1);
  expect(await dra.refresh(ref, 'absent', signal)).toEqual({ tag: 'done' });
  expect(node.calls).toHaveLength(1);
  expect(published).toEqual([`${A} visible`, `${A} absent`]);
});

test('a device is identified by its serial number', async () => {
  const question = {
    node: 'worker-0',
    resource: 'gpu-1',
    hints: { serialNumber: '1650000000001' },
    before: [],
    taken: [],
  };
  expect(await actions().identify(question, signal)).toEqual({ tag: 'identified', deviceId: A });
});

test('a device is identified by the serial number that its PCI device tells, in one command', async () => {
  const space = configSpace([[0x100, 3, 0]], { at: 0x100, serial: 'deadbeefbadcafe0' });
  node.configs.set('0000:1f:00.0', space);
  const ask = (pcieSerialNumber: string) => {
    const question = { node: 'worker-0', resource: 'gpu-1', before: [], taken: [] };
    return actions().identify({ ...question, hints: { pcieSerialNumber } }, signal);
  };
  expect(await ask('DE-AD-BE-EF-BA-DC-AF-E0')).toEqual({ tag: 'identified', deviceId: A });
  expect(await ask('deadbeefbadcafe1')).toMatchObject({ tag: 'notYet' });
  expect(node.calls).toHaveLength(2);
});

test('without a driver nothing is held, and nothing is run', async () => {
  driver = 'none';
  const bare = actions();
  expect(await bare.ensureDriver('worker-0', signal)).toEqual({ tag: 'done' });
  expect(await bare.findLoad(ref, signal)).toEqual({ tag: 'idle' });
  expect(await bare.drain({ ...ref, force: false }, signal)).toEqual({ tag: 'done' });
  expect(node.calls).toEqual([]);
});

test('a GPU of the node that cannot be initialised is in nobody’s way, unless it may be the one that leaves', async () => {
  node.gpus[1] = { uuid: 'GPU-????????-????-????-????-????????????', minor: 1, address: '0000:20:00.0' };
  expect(await actions().findLoad(ref, signal)).toEqual({ tag: 'idle' });
  expect(await actions().drain({ ...ref, force: false }, signal)).toEqual({ tag: 'done' });
  const again = await actions().drain({ ...ref, force: false }, signal);
  expect(again).toMatchObject({ tag: 'failed', failure: { kind: 'Blocked' } });
  expect(JSON.stringify(again)).toContain('0000:20:00.0, which may be it');
  expect(await actions().findLoad(ref, signal)).toMatchObject({ tag: 'failed', failure: { kind: 'Blocked' } });
  expect(await actions().drain({ ...ref, force: true }, signal)).toEqual({ tag: 'done' });
});

test('commands are short enough for the request lines that proxies let pass', () => {
  for (const kind of ['container', 'host'] as const) {
    const place = { driver: kind, namespace: 'n', pod: 'p', container: 'c' };
    const uuid = GpuUuid.of(A);
    const address = PciAddress.of('0000:1f:00.0');
    if (uuid === undefined || address === undefined) throw new Error('a fixture does not fit its pattern');
    const removal = { uuid, address, minor: 0, isDraining: false, modules: MODULES_IN_THE_WAY, by: 'kernel' } as const;
    const commands = [listGpus(place), readLoad(place), quiesce(place, uuid, 'unlessOpen'), remove(place, removal)];
    for (const { argv } of commands) {
      expect(argv.map(encodeURIComponent).join('&command=').length).toBeLessThan(6000);
    }
  }
});

test('a driver that is not loaded: told of a device that came, nothing to one that left', async () => {
  driver = 'host';
  const words = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.";
  const trouble = { at: '--query-gpu', outcome: exited(words, 9) };
  const plugin = actions('looks');
  node.trouble = trouble;
  expect(await plugin.refresh(ref, 'visible', signal)).toMatchObject({ tag: 'failed', failure: { kind: 'Blocked' } });
  expect(published).toEqual([]);
  node.trouble = trouble;
  expect(await plugin.refresh(ref, 'absent', signal)).toEqual({ tag: 'done' });
  expect(published).toEqual([`${A} absent`]);
  node.trouble = trouble;
  expect(await plugin.ensureDriver('worker-0', signal)).toEqual({ tag: 'done' });
  expect(node.calls.at(-1)).toContain('modinfo');
});

test('what was found out about a node is forgotten with it: one that comes under its name is asked anew', async () => {
  driver = 'host';
  const looks = new NodeLooks();
  const slices = actions('slices', looks);
  expect(await slices.ensureDriver('worker-0', signal)).toEqual({ tag: 'done' });
  expect(await slices.ensureDriver('worker-0', signal)).toEqual({ tag: 'done' });
  expect(node.calls).toHaveLength(1);
  slices.forgetNode?.('worker-0');
  expect(await slices.ensureDriver('worker-0', signal)).toEqual({ tag: 'done' });
  expect(node.calls).toHaveLength(2);
  const plugin = actions('looks', looks);
  expect(await plugin.refresh(ref, 'visible', signal)).toEqual({ tag: 'done' });
  expect([looks.listedOn('worker-0'), looks.publishedOn('worker-0')]).toEqual([[A, B], new Set([A, B])]);
  plugin.forgetNode?.('worker-0');
  expect([looks.listedOn('worker-0'), looks.publishedOn('worker-0')]).toEqual([undefined, undefined]);
});

test('a daemon that does not start again is told in the log, and the GPU has left all the same', async () => {
  node.persistenced = 'running';
  node.trouble = { at: 'start-persistenced', outcome: exited('', 1) };
  expect(await actions().drain({ ...ref, force: false }, signal)).toEqual({ tag: 'done' });
  expect(warnings).toEqual([expect.stringContaining('starting nvidia-persistenced on node worker-0')]);
  // Whoever finds it so later starts it: the next drain, here of a GPU that is gone.
  expect(await actions().drain({ ...ref, force: false }, signal)).toEqual({ tag: 'done' });
  expect(node.persistenced).toBe('running');
});
