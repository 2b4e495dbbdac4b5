import { describe, expect, it } from 'vitest';
import { makeHost } from './host-world.ts';

const HOLDERS = `
for fd in /proc/[0-9]*/fd/*; do
  [ "$(readlink "$fd")" = "$1" ] || continue
  pid=\${fd#/proc/}
  pid=\${pid%%/*}
  read -r comm < "/proc/$pid/comm"
  printf '%s %s\\n' "$pid" "$comm"
done`;

const END_PERSISTENCED = `
file=/var/run/nvidia-persistenced/nvidia-persistenced.pid
[ -r "$file" ] || exit 0
read -r pid < "$file"
[ "$(cat "/proc/$pid/comm" 2>/dev/null)" = nvidia-persiste ] || exit 0
kill -9 "$pid"`;

describe('a shell on a node', () => {
  it('takes values as positional arguments, as they are', async () => {
    const { sh } = await makeHost();
    expect((await sh('printf "%s|" "$0" "$@"', 'a b', '$(x)', "it's", '')).stdout).toBe("script|a b|$(x)|it's||");
  });

  it('finds who holds a device file by /proc', async () => {
    const { sh, host, uuid, smi } = await makeHost();
    await smi('-L');
    const pid = host.run({ comm: 'a-very-long-program-name', opens: [uuid(1)], computes: false });
    const { stdout } = await sh(HOLDERS, '/dev/nvidia1');
    expect(stdout).toBe(`1001 nvidia-persiste\n${pid} a-very-long-pro\n`);
    expect((await sh(HOLDERS, '/dev/nvidia9')).stdout).toBe('');
  });

  it('finds a handle on a file that is deleted as the kernel writes it', async () => {
    const { sh, smi } = await makeHost();
    await smi('-L');
    expect(await sh('rm -f /dev/nvidia1')).toMatchObject({ code: 0 });
    expect(await sh('rm -f /dev/nvidia1; ls /dev')).toMatchObject({
      stdout: expect.not.stringContaining('nvidia1') as string,
    });
    expect((await sh(HOLDERS, '/dev/nvidia1')).stdout).toBe('');
    expect((await sh(HOLDERS, '/dev/nvidia1 (deleted)')).stdout).toBe('1001 nvidia-persiste\n');
  });

  it('ends the persistence daemon by its pid file, once', async () => {
    const { sh, smi } = await makeHost({ persistenced: 'keeps' });
    await smi('-pm', '0');
    expect((await sh(HOLDERS, '/dev/nvidia0')).stdout).toBe('1001 nvidia-persiste\n');
    expect(await sh(END_PERSISTENCED)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await sh(HOLDERS, '/dev/nvidia0')).stdout).toBe('');
    expect(await sh(END_PERSISTENCED)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('has a daemon that follows persistence mode, where it does', async () => {
    const { sh, smi } = await makeHost({ persistenced: 'follows' });
    await smi('-pm', '0');
    expect((await sh(HOLDERS, '/dev/nvidia0')).stdout).toBe('');
  });

  it('shows what the driver says of each GPU in /proc', async () => {
    const { sh, uuid, smi } = await makeHost({}, 2, { publishDelayMs: Infinity });
    expect((await sh('ls /proc/driver/nvidia/gpus')).code).not.toBe(0);
    await smi('-L');
    const script = `
      for file in /proc/driver/nvidia/gpus/*/information; do
        minor= uuid= bus=
        while read -r first second third rest; do
          case "$first $second" in
            'Device Minor:') minor=$third ;;
            'GPU UUID:') uuid=$third ;;
            'Bus Location:') bus=$third ;;
          esac
        done < "$file"
        echo "$minor,$uuid,$bus"
      done`;
    expect((await sh(script)).stdout).toBe(`0,${uuid(0)},0000:10:00.0\n1,${uuid(1)},0000:11:00.0\n`);
  });

  it('ends with the exit code of its script, and tells what is not there', async () => {
    const { sh, onHost, inAgent } = await makeHost();
    expect(await sh('exit 42')).toMatchObject({ code: 42 });
    expect(await sh('/usr/sbin/nope')).toMatchObject({ code: 127 });
    expect(await sh('echo 1 > /sys/bus/pci/devices/0000:77:00.0/remove')).not.toMatchObject({ stderr: '' });
    expect(await sh('echo 1 > /proc/modules')).not.toMatchObject({ stderr: '' });
    expect(await sh('if [ -x /usr/sbin/chroot ] && ! [ -x /usr/local/bin/chroot ]; then exit 3; fi')).toMatchObject({
      code: 3,
    });
    expect(await onHost('/usr/bin/nope')).toMatchObject({ code: 127 });
    expect(await inAgent(['/bin/chroot', '/nowhere', '/bin/sh'])).toMatchObject({ code: 125 });
  });

  it('is given the root that its container has', async () => {
    const { inAgent, inDriver } = await makeHost({ driver: 'container' });
    expect(await inAgent(['/usr/bin/nvidia-smi', '-L'])).toMatchObject({ code: 127 });
    expect(await inAgent(['/bin/chroot', '/host-root', '/usr/bin/nvidia-smi', '-L'])).toMatchObject({ code: 127 });
    expect(await inDriver(['/usr/bin/nvidia-smi', '-L'])).toMatchObject({ code: 0 });
    const inRoot = ['/usr/sbin/chroot', '/run/nvidia/driver', '/bin/sh', '-c', 'ls /dev'];
    expect((await inDriver(inRoot)).stdout).toContain('nvidia0\n');
    expect(await inDriver(['ls', '/run/nvidia/driver/dev/nvidia0'])).toMatchObject({ code: 0 });
    expect((await inAgent(['cat', '/host-root/proc/modules'])).stdout).toMatch(/^nvidia_uvm /);
  });

  it('sleeps on the clock of the simulation', async () => {
    const { sh, clock } = await makeHost();
    const sleeping = sh('sleep 2; echo awake');
    await clock.advance(2_000);
    expect((await sleeping).stdout).toBe('awake\n');
  });
});
