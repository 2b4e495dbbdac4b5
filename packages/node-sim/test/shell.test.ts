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
    expect(stdout).toBe(`1003 nvidia-persiste\n${pid} a-very-long-pro\n`);
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
    expect((await sh(HOLDERS, '/dev/nvidia1 (deleted)')).stdout).toBe('1003 nvidia-persiste\n');
  });

  it('ends the persistence daemon by its pid file, once', async () => {
    const { sh, smi } = await makeHost({ persistenced: 'keeps' });
    await smi('-pm', '0');
    expect((await sh(HOLDERS, '/dev/nvidia0')).stdout).toBe('1003 nvidia-persiste\n');
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

  it('does what a shell does, where just-bash alone does not', async () => {
    const { sh } = await makeHost();
    expect(await sh('for word in a b; do if [ "$word" = a ]; then exec echo "$word"; fi; done; echo no')).toMatchObject(
      {
        stdout: 'a\n',
      },
    );
    expect(await sh('exec /usr/bin/false; echo no')).toMatchObject({ code: 1, stdout: '' });
    const isNumber = 'for word in 12 1a ""; do case $word in "" | *[!0-9]*) echo no ;; *) echo yes ;; esac; done';
    expect((await sh(isNumber)).stdout).toBe('yes\nno\nno\n');
    const information = '/proc/driver/nvidia/gpus/0000:10:00.0/information';
    expect((await sh(`grep -sH Minor ${information} /nowhere`)).stdout).toBe(`${information}:Device Minor: \t 0\n`);
    expect(await sh('grep -qsi hypervisor /nowhere')).toMatchObject({ code: 2, stderr: '' });
    expect(await sh('grep -s')).not.toMatchObject({ stderr: '' });
    expect((await sh('grep -e s /proc/1/comm')).stdout).toBe('systemd\n');
  });

  const TEXT = 'alpha 1\nbeta (2)\n\nGamma/3\n';
  it.each([
    ['grep a', 'alpha 1\nbeta (2)\nGamma/3\n', 0],
    ['grep -v a', '\n', 0],
    ['grep -iE "^(alpha|gamma).[0-9]$|^nothing"', 'alpha 1\nGamma/3\n', 0],
    ['grep "beta (2)"', 'beta (2)\n', 0],
    ['grep "a*b"', 'beta (2)\n', 0],
    ['grep "\\(a\\)l"', 'alpha 1\n', 0],
    ['grep -E "m{2}"', 'Gamma/3\n', 0],
    ['grep -c a', '3\n', 0],
    ['grep -H beta', '(standard input):beta (2)\n', 0],
    ['grep nothing', '', 1],
    ['grep -q beta', '', 0],
    ['grep -q beta - /nowhere', '', 0],
  ])('searches as GNU grep does: %s', async (command, stdout, code) => {
    const { sh } = await makeHost();
    expect(await sh(`printf '${TEXT.replaceAll('\n', '\\n')}' | ${command}`)).toMatchObject({ stdout, code });
  });

  it('tells of files that grep cannot read, and names those that it can', async () => {
    const { sh } = await makeHost();
    expect(await sh('grep s /proc/1/comm /nowhere /proc/1')).toEqual({
      code: 2,
      stdout: '/proc/1/comm:systemd\n',
      stderr: 'grep: /nowhere: No such file or directory\ngrep: /proc/1: Is a directory\n',
    });
    expect(await sh('grep -ls s /proc/1/comm /nowhere')).toMatchObject({
      code: 2,
      stdout: '/proc/1/comm\n',
      stderr: '',
    });
    expect(await sh('grep -qs s /proc/1/comm /nowhere')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect((await sh('cd /proc/1 && grep s comm')).stdout).toBe('systemd\n');
  });

  it('lists what a process has open as GNU does', async () => {
    const { sh } = await makeHost();
    expect((await sh('ls -l /proc/1/fd')).stdout).toBe(
      `total 0\n${[0, 1, 2].map((fd) => `lrwx------ 1 root root 64 Jan  1 00:00 ${fd} -> /dev/null\n`).join('')}`,
    );
    const several = await sh('ls -lq /proc/1/fd /proc/1/comm /proc/77/fd');
    expect(several).toMatchObject({ code: 2, stderr: "ls: cannot access '/proc/77/fd': No such file or directory\n" });
    expect(several.stdout).toMatch(/^-rw-r--r-- .* \/proc\/1\/comm\n\n\/proc\/1\/fd:\ntotal 0\n/);
    expect((await sh('ls -q /proc/1; ls -1q /proc/1')).stdout).toBe('cmdline\ncomm\nfd\ncmdline\ncomm\nfd\n');
  });

  it('is given the root that its container has', async () => {
    const { inAgent, inDriver } = await makeHost({ driver: 'container' });
    expect(await inAgent(['/usr/bin/nvidia-smi', '-L'])).toMatchObject({ code: 127 });
    expect(await inAgent(['/bin/chroot', '/host-root', '/usr/bin/nvidia-smi', '-L'])).toMatchObject({ code: 127 });
    expect(await inDriver(['/usr/bin/nvidia-smi', '-L'])).toMatchObject({ code: 0 });
    const inRoot = ['/usr/sbin/chroot', '/run/nvidia/driver', '/bin/sh', '-c', 'ls /dev'];
    expect((await inDriver(inRoot)).stdout).toContain('nvidia0\n');
    // The driver's root in its container has no /sys; the container has.
    const remove = '/sys/bus/pci/devices/0000:10:00.0/remove';
    expect(await inDriver(['/usr/sbin/chroot', '/run/nvidia/driver', 'ls', remove])).not.toMatchObject({ code: 0 });
    expect(await inDriver(['ls', remove])).toMatchObject({ code: 0 });
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
