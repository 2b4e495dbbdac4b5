import { describe, expect, it, vi } from 'vitest';
import { makeHost } from './host-world.ts';

const BUS = '0000:10:00.0';

describe('a GPU that leaves in order', () => {
  it('on the host: persistence mode off, draining, removed; then the fabric may take it', async () => {
    const { smi, uuid, sh, host, nodes, take } = await makeHost();
    host.look();
    expect((await smi('drain', '-p', BUS, '-q')).stdout).toBe(
      'The current drain state of GPU 00000000:10:00.0 is: not draining.\n',
    );
    const off = 'Disabled persistence mode for GPU 00000000:10:00.0.\nAll done.\n';
    expect((await smi('-i', uuid(0), '-pm', '0')).stdout).toBe(off);
    const on = 'Successfully set GPU 00000000:10:00.0 drain state to: draining.\n';
    expect((await smi('drain', '-p', BUS, '-m', '1')).stdout).toBe(on);
    expect((await smi('drain', '-p', BUS, '-q')).stdout).toMatch(/ is: draining\.\n$/);
    expect(await smi('drain', '-p', BUS, '-r')).toMatchObject({ code: 0 });
    expect((await sh('ls /proc/driver/nvidia/gpus /sys/bus/pci/devices; ls /dev')).stdout).not.toMatch(/:10:|nvidia0/);
    expect((await smi('--query-gpu=uuid', '--format=csv,noheader')).stdout).toBe(`${uuid(1)}\n`);
    take(0);
    nodes.assertNoFaults();
  });

  it('is seen by no new client while it drains, and in /proc still', async () => {
    const { smi, uuid, sh } = await makeHost({}, 1);
    await smi('-pm', '0');
    await smi('drain', '-p', BUS, '-m', '1');
    expect(await smi('-i', uuid(0), '-pm', '0')).toMatchObject({ code: 6, stdout: 'No devices were found\n' });
    expect((await sh('cat /proc/driver/nvidia/gpus/*/information')).stdout).toContain(`GPU UUID: \t ${uuid(0)}\n`);
    await smi('drain', '-p', BUS, '-m', '0');
    expect((await smi('-L')).stdout).toContain(uuid(0));
  });

  it('is not found under an address of eight digits, nor one that is not there', async () => {
    const { smi } = await makeHost();
    expect(await smi('drain', '-p', '00000000:10:00.0', '-q')).toMatchObject({ code: 6 });
    expect(await smi('drain', '-p', '0000:77:00.0', '-q')).toMatchObject({ code: 6 });
    expect(await smi('drain', '-p', '0000:1F:00.0', '-q')).toMatchObject({ code: 6 });
    expect(await smi('drain', '-q')).toMatchObject({ code: 2 });
    expect(await smi('drain', '-p', BUS)).toMatchObject({ code: 2 });
    expect(await smi('drain', '-p', BUS, '-m', '7')).toMatchObject({ code: 2 });
  });
});

describe('a wrong order', () => {
  it('drains nothing while persistence mode is on', async () => {
    const { smi } = await makeHost();
    const answer = await smi('drain', '-p', BUS, '-m', '1');
    expect(answer.code).not.toBe(0);
    expect(answer.stdout).toMatch(/In use by another client\n$/);
    expect((await smi('drain', '-p', BUS, '-q')).stdout).toMatch(/not draining/);
  });

  it('removes nothing that is not draining, or that a process holds', async () => {
    const { smi, uuid, host } = await makeHost();
    host.look();
    const pid = host.run({ comm: 'dcgm-exporter', opens: [uuid(0)], computes: false });
    await smi('-i', uuid(0), '-pm', '0');
    expect((await smi('drain', '-p', BUS, '-r')).code).not.toBe(0);
    await smi('drain', '-p', BUS, '-m', '1');
    expect(await smi('drain', '-p', BUS, '-r')).toMatchObject({ stdout: expect.stringContaining('In use') as string });
    host.end(pid);
    expect((await smi('drain', '-p', BUS, '-r')).code).toBe(0);
  });

  it('keeps the writer of `remove` waiting until nothing holds the GPU', async () => {
    const { smi, uuid, host, sh } = await makeHost();
    await smi('-i', uuid(0), '-pm', '0');
    const pid = host.run({ comm: 'python3', opens: [uuid(0)] });
    let ended = false;
    const writing = sh('echo 1 > "/sys/bus/pci/devices/$1/remove"', BUS).then((answer) => {
      ended = true;
      return answer;
    });
    expect((await smi('-L')).stdout).toContain(uuid(0));
    expect(ended).toBe(false);
    const writers = () => sh('grep -ls "devices/$1/remove" /proc/[0-9]*/cmdline', BUS);
    expect((await writers()).stdout).toMatch(/^\/proc\/\d+\/cmdline\n$/);
    host.end(pid);
    expect(await writing).toMatchObject({ code: 0 });
    expect((await writers()).stdout).toBe('');
    expect((await smi('-L')).stdout).not.toContain(uuid(0));
  });

  it('that lets the fabric take a GPU which the driver has, or a process, is a fault, and stays one', async () => {
    const { host, uuid, nodes, take } = await makeHost({ persistenced: 'none' });
    host.look();
    const pid = host.run({ comm: 'python3', opens: [uuid(1)] });
    take(0);
    take(1);
    expect(nodes.faults()).toMatchObject([
      { node: 'worker-0', uuid: uuid(0), what: 'pulledWhileBound', heldBy: ['nvidia'] },
      { node: 'worker-0', uuid: uuid(1), what: 'pulledWhileOpen', heldBy: ['nvidia', `python3[${pid}]`] },
    ]);
    host.end(pid);
    expect(() => {
      nodes.assertNoFaults();
    }).toThrow(/worker-0: GPU-.* pulledWhileOpen, held by nvidia, python3\[/);
  });

  it('that touches a GPU which is fixed in the node is a fault', async () => {
    const fixed = { uuid: 'GPU-fixed', serial: '1650000000001', model: 'A2', memoryMiB: 16_384 };
    const { sh, smi, nodes } = await makeHost({ fixedGpus: [fixed], persistenced: 'none' });
    expect((await smi('-L')).stdout).toMatch(/^GPU 0: A2 \(UUID: GPU-fixed\)\nGPU 1: /);
    await smi('-i', 'GPU-fixed', '-pm', '0');
    await smi('drain', '-p', BUS, '-m', '1');
    await sh('echo 1 > "/sys/bus/pci/devices/$1/remove"', BUS);
    expect(nodes.faults()).toMatchObject([
      { uuid: 'GPU-fixed', what: 'fixedDrained' },
      { uuid: 'GPU-fixed', what: 'fixedRemoved' },
    ]);
  });

  it('is none when the driver never saw the GPU', async () => {
    const { nodes, take } = await makeHost({}, 1, { publishDelayMs: Infinity });
    take(0);
    nodes.assertNoFaults();
  });
});

describe('the last GPU of a driver on the host', () => {
  const drained = async () => {
    const world = await makeHost({}, 1);
    await world.smi('-pm', '0');
    await world.smi('drain', '-p', BUS, '-m', '1');
    return world;
  };

  it('is not removed while modules use the driver', async () => {
    const { smi, onHost } = await drained();
    expect(await smi('drain', '-p', BUS, '-r')).toMatchObject({ code: 255 });
    expect((await onHost('/usr/sbin/lsmod')).stdout).toMatch(/^nvidia_drm +\d+ {2}0$/m);
  });

  it('goes by sysfs when they are unloaded', async () => {
    const { onHost, sh, nodes, take } = await drained();
    expect(await onHost('/usr/sbin/modprobe', '-r', 'nvidia_drm')).toMatchObject({ code: 0 });
    expect((await sh('while read -r name rest; do echo "$name"; done < /proc/modules')).stdout).toBe(
      'nvidia_uvm\nnvidia\n',
    );
    expect(await onHost('/usr/sbin/modprobe', '-r', 'nvidia-uvm')).toMatchObject({ code: 0 });
    const script = 'echo 1 | tee "/sys/bus/pci/devices/$1/remove" > /dev/null && ls /sys/bus/pci/devices';
    expect(await sh(script, BUS)).toMatchObject({ stdout: '' });
    take(0);
    nodes.assertNoFaults();
  });

  it('keeps a module that a process needs', async () => {
    const { onHost, host, uuid, smi } = await makeHost({ persistenced: 'none' }, 1);
    await smi('-L');
    host.run({ comm: 'python3', opens: [uuid(0)] });
    expect(await onHost('/usr/sbin/modprobe', '-r', 'nvidia_uvm')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'modprobe: FATAL: Module nvidia_uvm is in use.\n',
    });
    expect(await onHost('/usr/sbin/modprobe', '-r', 'nope')).toMatchObject({ code: 1 });
  });
});

describe('a virtual machine', () => {
  it('says so in /proc/cpuinfo, and removes a GPU by sysfs alone', async () => {
    const { sh, smi, uuid } = await makeHost({ vm: true });
    const probe = 'if grep -qi hypervisor /proc/cpuinfo; then echo true; fi';
    expect((await sh(probe)).stdout).toBe('true\n');
    expect((await (await makeHost()).sh(probe)).stdout).toBe('');
    await smi('-i', uuid(0), '-pm', '0');
    await smi('drain', '-p', BUS, '-m', '1');
    expect(await smi('drain', '-p', BUS, '-r')).toMatchObject({ code: 3 });
    expect(await sh('echo 1 > "/sys/bus/pci/devices/$1/remove"', BUS)).toMatchObject({ code: 0 });
    expect((await smi('-L')).stdout).not.toContain(uuid(0));
  });
});

describe('a reboot', () => {
  it('brings back what had left the bus in order, and forgets what ran, what drained and what was told', async () => {
    const { smi, sh, host, nodes, uuid } = await makeHost({ persistenced: 'none' });
    host.look();
    host.run({ comm: 'python3', opens: [uuid(1)] });
    await smi('drain', '-p', BUS, '-m', '1');
    expect(await smi('drain', '-p', BUS, '-r')).toMatchObject({ code: 0 });
    nodes.reboot('worker-0');
    const information = 'cat /proc/driver/nvidia/gpus/*/information';
    expect((await sh(information)).stdout.match(/GPU UUID: .*/g)).toEqual([
      'GPU UUID: \t GPU-????????-????-????-????-????????????',
      'GPU UUID: \t GPU-????????-????-????-????-????????????',
    ]);
    expect(host.processes().map(({ comm }) => comm)).toEqual(['systemd', 'containerd', 'kubelet']);
    expect((await smi('-L')).stdout).toContain(uuid(0));
    expect((await sh(information)).stdout).toContain(uuid(0));
    expect(host.gpus()).toMatchObject([{ draining: false }, { draining: false }]);
  });

  it('lets the persistence daemon open what it finds; a command that ran is lost, and a removal that waited ends', async () => {
    const { inAgent, host, nodes, uuid } = await makeHost();
    host.look();
    const waiting = inAgent([
      '/bin/chroot',
      '/host-root',
      '/bin/sh',
      '-c',
      `echo 1 > /sys/bus/pci/devices/${BUS}/remove`,
    ]);
    await vi.waitFor(() => {
      expect(host.processes().map(({ comm }) => comm)).toContain('tee');
    });
    nodes.reboot('worker-0');
    await expect(waiting).rejects.toThrow();
    expect(host.processes().map(({ comm, opens }) => [comm, opens])).toContainEqual([
      'nvidia-persiste',
      [uuid(0), uuid(1)],
    ]);
    expect(host.gpus()).toMatchObject([{ onBus: true, persistent: true }, { persistent: true }]);
  });
});
