import { spawn } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readLoad, readQuiesced, readRemoved, type Removed } from '../../src/nvidia/parse/looks.ts';
import type { Read } from '../../src/nvidia/parse/read.ts';
import { readPciSerial } from '../../src/nvidia/parse/pci-config.ts';
import {
  CONFIGS_ON_HOST,
  END_PERSISTENCED,
  IN_DRIVER_ROOT,
  LOAD,
  LOOK_AND_QUIESCE,
  QUIESCE,
  REMOVE_IN_CONTAINER,
  REMOVE_ON_HOST,
} from '../../src/nvidia/scripts.ts';
import { configSpace } from './config-space.ts';
import { FakeRoot } from './shell.ts';

const A = 'GPU-11111111-0000-0000-0000-000000000001';
const B = 'GPU-22222222-0000-0000-0000-000000000002';
const C = 'GPU-33333333-0000-0000-0000-000000000003';
/** Where the GPU `A` is, as a removal is told. */
const AT = ['0000:1f:00.0', '0000:1F:00.0', '0'] as const;
const HOLDER = { pid: 4711, minor: 0, name: 'python3' };

let root: FakeRoot;

const problemIn = (read: Read<unknown>) => (read.tag === 'wrong' ? read.message : undefined);

beforeEach(async () => {
  root = await FakeRoot.make();
  await root.gpu('0000:1f:00.0', A, 0);
  await root.gpu('0000:20:00.0', B, 1);
  await root.process(1, 'systemd', '/dev/null');
  await root.process(4711, 'python3', '/dev/nvidiactl', '/dev/nvidia0', '/dev/nvidia0 (deleted)');
  await root.process(4712, 'a name', '/tmp/x\n/proc/1/fd:', '/dev/nvidia1', '/dev/nvidia-uvm');
  await root.file('/proc/cpuinfo', 'flags : fpu hypervisor\n');
  await root.file('/proc/modules', 'nvidia_uvm 1 0 - Live 0x0\nnvidia 9 1 nvidia_uvm, Live 0x0\nnvme 1 0 - Live 0x0\n');
});

afterEach(() => root.remove());

test('who uses the GPUs, in a real shell', async () => {
  await root.program('/usr/bin/nvidia-smi', `echo '${A}, 4711, /usr/bin/python3, with a comma'; echo a warning >&2`);
  const { code, stdout, stderr } = await root.run(LOAD);
  expect([code, stderr]).toEqual([0, 'a warning\n']);
  const read = readLoad(stdout);
  expect(read).toMatchObject({
    tag: 'ok',
    value: {
      apps: [{ pid: 4711, name: '/usr/bin/python3, with a comma' }],
      holders: [HOLDER, HOLDER, { pid: 4712, minor: 1, name: 'a name' }],
    },
  });
});

test('a process that calls itself by lines of a script changes no other line', async () => {
  await root.program('/usr/bin/nvidia-smi', `printf '${A}, 4711, x\\nend\\nscanned 9\\n'`);
  const { stdout } = await root.run(LOAD);
  expect(problemIn(readLoad(stdout))).toContain('compute process: "end"');
});

test('where processes cannot be looked at the answer is none', async () => {
  await root.remove();
  await root.program('/usr/bin/nvidia-smi', 'echo No devices were found; exit 6');
  const { stdout } = await root.run(LOAD);
  expect(problemIn(readLoad(stdout))).toContain('number of processes');
});

test('processes on MIG devices make it ask whose those are', async () => {
  const mig = 'MIG-33333333-0000-0000-0000-000000000003';
  await root.program(
    '/usr/bin/nvidia-smi',
    `if [ "$1" = -L ]; then printf 'GPU 0: NVIDIA A100-SXM4-80GB (UUID: ${A})\\n  MIG 1g.10gb     Device  0: (UUID: ${mig})\\n'; else echo '${mig}, 5, app'; fi`,
  );
  const { stdout } = await root.run(LOAD);
  const read = readLoad(stdout);
  expect(read.tag === 'ok' && read.value.apps.map(({ gpu, pid }) => [gpu.toString(), pid])).toEqual([[A, 5]]);
});

test('only the GPU that leaves is made ready for it', async () => {
  await root.program('/usr/bin/nvidia-smi', 'echo "$@" >> "$0.calls"; echo "Drain State: Not Draining"');
  const { code, stdout } = await root.run(QUIESCE, B.toUpperCase().replace('GPU', 'gpu'), 'anyway');
  expect(code).toBe(0);
  expect(readQuiesced(stdout)).toMatchObject({
    tag: 'ok',
    value: { state: 'notDraining', mode: { code: 0 }, virtual: true, modules: ['nvidia_uvm', 'nvidia'] },
  });
  expect(stdout).toContain('/proc/driver/nvidia/gpus/0000:1f:00.0/information:Device Minor: \t 0');
});

test.each([
  ['one that is open', A, 'unlessOpen', false],
  ['one that is open, though nobody is asked', A, 'anyway', true],
  ['one that only the daemon has open', C, 'unlessOpen', true],
])('%s', async (_words, uuid, how, isTouched) => {
  await root.gpu('0000:30:00.0', C, 10);
  await root.process(77, 'nvidia-persiste', '/dev/nvidia0', '/dev/nvidia1', '/dev/nvidia10');
  await root.program('/usr/bin/nvidia-smi', 'echo "$@" >> "$0.calls"; echo "Drain State: Not Draining"');
  const read = readQuiesced((await root.run(LOOK_AND_QUIESCE, uuid, how)).stdout);
  const mode = isTouched ? { code: 0 } : undefined;
  expect(read).toMatchObject({ tag: 'ok', value: { state: 'notDraining', mode } });
});

test('of who has files open, those of the GPU that leaves are told, and of no other', async () => {
  await root.gpu('0000:30:00.0', C, 10);
  await root.process(78, 'python3', '/dev/nvidia10 (deleted)', '/dev/nvidia1');
  await root.program('/usr/bin/nvidia-smi', 'echo "Drain State: Not Draining"');
  const read = readQuiesced((await root.run(LOOK_AND_QUIESCE, C, 'unlessOpen')).stdout);
  const holders = [{ pid: 78, minor: 10, name: 'python3' }];
  expect(read).toMatchObject({ tag: 'ok', value: { mode: undefined, holders } });
});

test('where nobody can tell who has a GPU open, it is left as it is', async () => {
  await root.program('/usr/bin/nvidia-smi', 'echo "Drain State: Not Draining"');
  await root.file(
    '/proc/driver/nvidia/gpus/0000:20:00.0/information',
    `GPU UUID: \t ${B}\nBus Location: \t 0000:20:00.0\n`,
  );
  const read = readQuiesced((await root.run(LOOK_AND_QUIESCE, B, 'unlessOpen')).stdout);
  expect(read).toMatchObject({ tag: 'ok', value: { mode: undefined } });
});

test('the persistence daemon is known by its file and its name', async () => {
  const look = async () => readRemoved((await root.run(REMOVE_ON_HOST, C, ...AT, 'serving', 'nvidia-smi')).stdout);
  expect(await look()).toMatchObject({ tag: 'ok', value: { persistenced: 'none', last: undefined } });
  await root.file('/var/run/nvidia-persistenced/nvidia-persistenced.pid', '4711\n');
  expect(await look()).toMatchObject({ tag: 'ok', value: { persistenced: 'killed' } });
  await root.process(77, 'nvidia-persiste');
  await root.file('/var/run/nvidia-persistenced/nvidia-persistenced.pid', '77\n');
  expect(await look()).toMatchObject({ tag: 'ok', value: { persistenced: 'running' } });
});

describe('a removal', () => {
  const calls = () => root.text('/calls').trimEnd().split('\n');
  const gpusIn = (read: Read<Removed>) => (read.tag === 'ok' ? read.value.gpus.map(({ uuid }) => `${uuid}`) : read);

  /** Programs that note how they were called. nvidia-smi takes the GPU away; `more` is what it does besides. */
  const programs = async (more = '') => {
    const information = `${root.folder}/proc/driver/nvidia/gpus/0000:1f:00.0/information`;
    const note = `echo "$0 $*" >> ${root.folder}/calls`;
    await root.program('/usr/bin/nvidia-smi', `${note}; ${more}\ncase $4 in -r) rm ${information} ;; esac; echo done`);
    await root.program('/usr/sbin/rmmod', note);
    await root.program('/usr/sbin/chroot', `${note}; shift; exec "$@"`);
    await root.file('/sys/bus/pci/devices/0000:1f:00.0/remove', '');
    for (const path of ['/dev/nvidia0', '/dev/nvidia1', '/run/nvidia/driver/dev/nvidia0']) await root.file(path, '');
  };
  const remove = async (...args: readonly string[]) =>
    readRemoved((await root.run(REMOVE_ON_HOST, A, ...AT, ...args)).stdout);

  test('goes from the drain state by the device file to the driver, and tells what is left', async () => {
    await programs();
    const read = await remove('serving', 'nvidia-smi');
    expect(read).toMatchObject({ value: { last: { step: 'remove', said: { code: 0, lines: ['done'] } } } });
    expect(gpusIn(read)).toEqual([B]);
    expect(calls()).toEqual([
      expect.stringMatching(/nvidia-smi drain -p 0000:1F:00.0 -m 1$/),
      expect.stringMatching(/nvidia-smi drain -p 0000:1F:00.0 -r$/),
    ]);
    expect([root.has('/dev/nvidia0'), root.has('/dev/nvidia1')]).toEqual([false, true]);
  });

  test('in a container runs the driver’s programs in the driver’s root, and removes both device files', async () => {
    await programs();
    const script = REMOVE_IN_CONTAINER.replaceAll('/usr/sbin/chroot', `${root.folder}/usr/sbin/chroot`);
    const { stdout } = await root.run(script, A, ...AT, 'draining', 'nvidia-smi');
    expect(gpusIn(readRemoved(stdout))).toEqual([B]);
    const smi = expect.stringMatching(/nvidia-smi drain -p 0000:1F:00.0 -r$/) as string;
    expect(calls()).toEqual([expect.stringMatching(/chroot \S+driver \S+nvidia-smi drain -p \S+ -r$/), smi]);
    expect([root.has('/dev/nvidia0'), root.has('/run/nvidia/driver/dev/nvidia0')]).toEqual([false, false]);
  });

  test('by the kernel comes after the modules in the way', async () => {
    await programs();
    const read = await remove('draining', 'kernel', 'nvidia_drm', 'nvidia_uvm');
    expect(read).toMatchObject({ value: { last: { step: 'remove', said: { code: 0 } } } });
    expect(calls()).toEqual([expect.stringMatching(/rmmod nvidia_drm nvidia_uvm$/)]);
    expect(root.text('/sys/bus/pci/devices/0000:1f:00.0/remove')).toBe('1\n');
  });

  test('stops at the step that fails, and tells its words', async () => {
    await programs('echo "In use: end" >&2; echo end; exit 15');
    const read = await remove('serving', 'nvidia-smi');
    expect(read).toMatchObject({
      value: { last: { step: 'start', said: { code: 15, lines: ['In use: end', 'end'] } } },
    });
    expect([calls().length, root.has('/dev/nvidia0'), gpusIn(read)]).toEqual([1, true, [A, B]]);
  });

  test('goes on where the driver does not tell the UUID any more once the drain state is set', async () => {
    await programs(`sed -i s/${A}/GPU-????????-????/ ${root.folder}/proc/driver/nvidia/gpus/0000:1f:00.0/information`);
    const read = await remove('serving', 'nvidia-smi');
    expect(read).toMatchObject({ value: { last: { step: 'remove', said: { code: 0 } } } });
    expect(gpusIn(read)).toEqual([B]);
    expect(await remove('serving', 'nvidia-smi')).toMatchObject({ value: { last: undefined } });
  });

  test('touches no GPU that was put in the place of the one that is meant, whenever that happens', async () => {
    await programs(`sed -i s/${A}/${C}/ ${root.folder}/proc/driver/nvidia/gpus/0000:1f:00.0/information`);
    const read = await remove('serving', 'nvidia-smi');
    expect(read).toMatchObject({ value: { last: { step: 'start', said: { code: 0 } } } });
    expect([calls().length, root.has('/dev/nvidia0'), gpusIn(read)]).toEqual([1, true, [C, B]]);
    expect(await remove('draining', 'kernel', 'nvidia_uvm')).toMatchObject({ value: { last: undefined } });
    expect(calls()).toHaveLength(1);
  });
});

test('the daemon is ended only for a GPU that is there and not open, and only if it is the daemon', async () => {
  const daemon = spawn('/bin/sleep', ['60']);
  const ended = new Promise<unknown>((resolve) => daemon.on('exit', (_, signal) => resolve(signal)));
  const pid = daemon.pid ?? 0;
  const script = END_PERSISTENCED.replace('/usr/sbin/chroot', `${root.folder}/usr/sbin/chroot`);
  const run = (uuid: string, how: string) => root.run(script, uuid, how, '/bin/echo', 'told', uuid);
  await root.program('/usr/sbin/chroot', 'shift; exec "$@"');
  await root.file('/var/run/nvidia-persistenced/nvidia-persistenced.pid', `${pid}\n`);
  await root.process(pid, 'somebody-else');
  expect((await run(B, 'anyway')).stdout).toBe(`persistenced ended ${pid}\ntold ${B} anyway\n`);
  await root.file(`/proc/${pid}/comm`, 'nvidia-persiste\n');
  expect((await run(C, 'anyway')).stdout).toBe(`persistenced running ${pid}\ntold ${C} anyway\n`);
  expect((await run(A, 'unlessOpen')).stdout).toBe(`persistenced running ${pid}\ntold ${A} leave\n`);
  expect(daemon.kill(0)).toBe(true);
  expect((await run(A, 'anyway')).stdout).toBe(`persistenced running ${pid}\ntold ${A} anyway\n`);
  expect(await ended).toBe('SIGKILL');
});

test('where no process can be looked at, nothing is done about a GPU', async () => {
  await root.remove();
  await root.gpu('0000:1f:00.0', A, 0);
  await root.program('/usr/sbin/chroot', 'shift; exec "$@"');
  const script = END_PERSISTENCED.replace('/usr/sbin/chroot', `${root.folder}/usr/sbin/chroot`);
  expect((await root.run(script, A, 'unlessOpen', '/bin/echo', 'told')).stdout).toBe('persistenced none\ntold leave\n');
});

test('a process id file that holds something else ends nothing', async () => {
  await root.file('/var/run/nvidia-persistenced/nvidia-persistenced.pid', '-1 1\n');
  expect((await root.run(END_PERSISTENCED, A, 'anyway', '/bin/true')).stdout).toBe('persistenced none\n');
});

test('the writer of an earlier removal is seen, of this GPU alone', async () => {
  await root.program('/usr/bin/nvidia-smi', 'echo "Drain State: Draining"');
  await root.file('/proc/4711/cmdline', '/usr/bin/tee\0/sys/bus/pci/devices/0000:1f:00.0/remove\0');
  await root.file('/proc/4712/cmdline', '/usr/bin/tee\0/sys/bus/pci/devices/0000:20:00.0/remove\0');
  const read = readQuiesced((await root.run(QUIESCE, A, 'anyway')).stdout);
  expect(read).toMatchObject({ tag: 'ok', value: { removing: ['4711'], state: 'draining' } });
});

test('without a chroot at a fixed place it says where it looked', async () => {
  const nowhere = IN_DRIVER_ROOT.replaceAll('/chroot', '/no-such-program');
  const { code, stderr } = await root.run(nowhere, '/bin/true');
  expect(code).toBe(127);
  expect(stderr).toMatch(/^no chroot in \/usr\/sbin, /);
});

test('configuration spaces of NVIDIA’s display devices, and then what was asked for', async () => {
  const config = configSpace(
    [
      [0x100, 0x0001, 0x148],
      [0x148, 0x0003, 0],
    ],
    { at: 0x148, serial: 'deadbeefbadcafe0' },
  );
  const device = '/sys/bus/pci/devices/0000:1f:00.0';
  await root.file(`${device}/vendor`, '0x10de\n');
  await root.file(`${device}/class`, '0x030200\n');
  await root.file(`${device}/config`, config);
  await root.file('/sys/bus/pci/devices/0000:00:01.0/vendor', '0x8086\n');
  const { stdout } = await root.run(CONFIGS_ON_HOST, '/bin/echo', 'the list');
  const [first = '', ...rest] = stdout.split('\n');
  expect(rest).toEqual(['the list', '']);
  expect(readPciSerial(first.replace('config ', ''))).toMatchObject({ value: { serial: 'deadbeefbadcafe0' } });
});
