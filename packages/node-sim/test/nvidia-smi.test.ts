import { describe, expect, it } from 'vitest';
import { makeHost } from './host-world.ts';
import { MODEL } from './world.ts';

const CSV = '--format=csv,noheader,nounits';

describe('nvidia-smi', () => {
  it('lists the GPUs with their UUIDs, and MIG devices below', async () => {
    const { smi, uuid, host } = await makeHost();
    expect(await smi('-L')).toEqual({
      code: 0,
      stdout: `GPU 0: ${MODEL} (UUID: ${uuid(0)})\nGPU 1: ${MODEL} (UUID: ${uuid(1)})\n`,
      stderr: '',
    });
    host.setMig(uuid(1), ['MIG-00000000-0000-4000-8000-000000000001']);
    expect((await smi('-L', '-i', uuid(1))).stdout).toMatch(/\n {2}MIG 1g.10gb .*\(UUID: MIG-0{8}-.*1\)\n$/);
  });

  it('answers fields in the order asked, with heads and units unless told otherwise', async () => {
    const { smi, uuid } = await makeHost();
    const asked = '--query-gpu=index,gpu_uuid,pci.bus_id,persistence_mode,memory.total,mig.mode.current,device_minor';
    expect((await smi(asked, CSV, '-i', '1')).stdout).toBe(
      `1, ${uuid(1)}, 00000000:11:00.0, Enabled, 81920, Disabled, 1\n`,
    );
    expect((await smi('--query-gpu=uuid,memory.total', '--format=csv', '--id=1')).stdout).toBe(
      `uuid, memory.total [MiB]\n${uuid(1)}, 81920 MiB\n`,
    );
    const serial = (await smi('--query-gpu=serial', CSV, '-i', '00000000:11:00.0')).stdout.trim();
    expect(serial).toMatch(/^\d{13}$/);
    expect((await smi('--query-gpu=index', CSV, '-i', serial)).stdout).toBe('1\n');
  });

  it('says which field it does not know, and what it does not understand', async () => {
    const { smi } = await makeHost();
    const field = await smi('--query-gpu=index,fan.colour', CSV);
    expect(field).toMatchObject({ code: 2, stdout: 'Field "fan.colour" is not a valid field to query.\n\n' });
    expect(await smi('--query-compute-apps=toString', CSV)).toMatchObject({ code: 2 });
    expect(await smi('--fast')).toMatchObject({ code: 2 });
    expect(await smi('--query-gpu=index')).toMatchObject({ code: 2 });
    expect(await smi('--query-gpu=index', '--format=json')).toMatchObject({ code: 2 });
    expect(await smi('-i')).toMatchObject({ code: 2 });
  });

  it('lists the processes that compute, those on MIG devices under these', async () => {
    const { smi, uuid, host } = await makeHost();
    const query = ['--query-compute-apps=gpu_uuid,process_name', CSV] as const;
    expect(await smi(...query)).toEqual({ code: 0, stdout: '', stderr: '' });
    const mig = 'MIG-00000000-0000-4000-8000-000000000001';
    host.run({ comm: 'dcgm', opens: [uuid(0)], computes: false });
    host.run({ comm: 'python3', path: '/usr/bin/python3', opens: [uuid(0)] });
    const pid = host.run({ comm: 'train', opens: [uuid(1)], mig, memoryMiB: 100 });
    expect((await smi(...query)).stdout).toBe(`${uuid(0)}, /usr/bin/python3\n${mig}, train\n`);
    expect((await smi('--query-compute-apps=pid,used_memory', '--format=csv', '-i', uuid(1))).stdout).toBe(
      `pid, used_gpu_memory [MiB]\n${pid}, 100 MiB\n`,
    );
    host.end(pid);
    expect((await smi(...query)).stdout).toBe(`${uuid(0)}, /usr/bin/python3\n`);
  });

  it('finds no devices with the exit code of its manual, or that of an older version', async () => {
    const found = { stdout: 'No devices were found\n' };
    expect(await (await makeHost({}, 0)).smi('-L')).toMatchObject({ code: 6, ...found });
    expect(await (await makeHost({}, 2)).smi('-L', '-i', 'GPU-0')).toMatchObject({ code: 6, ...found });
    const old = await makeHost({ noDevicesExitCode: 0 }, 0);
    expect(await old.smi('--query-gpu=uuid', CSV)).toMatchObject({ code: 0, ...found });
  });

  it('has its answer beside its warnings', async () => {
    const { smi, uuid, host } = await makeHost({}, 1);
    host.setWarning('WARNING: infoROM is corrupted at gpu 0000:10:00.0\n');
    const answer = { code: 0, stdout: `${uuid(0)}\n`, stderr: 'WARNING: infoROM is corrupted at gpu 0000:10:00.0\n' };
    expect(await smi('--query-gpu=uuid', CSV)).toEqual(answer);
  });

  it('is not there without a driver', async () => {
    const { onHost } = await makeHost({ driver: 'none' });
    expect(await onHost('/usr/bin/nvidia-smi', '-L')).toMatchObject({ code: 127 });
    expect(await onHost('/usr/sbin/modinfo', 'nvidia')).toMatchObject({ code: 1 });
  });
});
