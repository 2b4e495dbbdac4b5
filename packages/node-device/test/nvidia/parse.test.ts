import { describe, expect, test } from 'vitest';
import { readComputeApps } from '../../src/nvidia/parse/compute-apps.ts';
import { readDrainState } from '../../src/nvidia/parse/drain-state.ts';
import { readGpuList, readMigOwners } from '../../src/nvidia/parse/gpu-list.ts';
import { readInformation } from '../../src/nvidia/parse/information.ts';
import type { Read } from '../../src/nvidia/parse/read.ts';
import { GpuUuid, minorOf, PciAddress } from '../../src/nvidia/patterns.ts';

const A = 'GPU-11111111-0000-0000-0000-000000000001';
const B = 'GPU-22222222-0000-0000-0000-000000000002';
const MIG = 'MIG-33333333-0000-5000-8000-000000000003';
const NO_OWNERS = new Map<string, GpuUuid>();

const said = (text: string, code = 0) => ({ lines: text.split('\n').filter((line) => line !== ''), code });
const problemIn = (read: Read<unknown>) => (read.tag === 'wrong' ? read.message : undefined);

describe('patterns', () => {
  test.each(['00000000:1F:00.0', '0000:1f:00.0'])('%s is one address, written as each wants it', (text) => {
    const address = PciAddress.of(text);
    expect([address?.inKernel, address?.inNvidiaSmi]).toEqual(['0000:1f:00.0', '0000:1F:00.0']);
  });
  test('a domain beyond four digits is kept', () => {
    expect(PciAddress.of('00010000:E1:00.0')?.inKernel).toBe('10000:e1:00.0');
  });
  test.each(['', '1f:00.0', '0000:1f:00.8', '0000:1f:20.0', '0000:1f:00.0\n', '../0000:1f:00.0', '0000:1f:00.0/../x'])(
    '%j is no address',
    (text) => {
      expect(PciAddress.of(text)).toBeUndefined();
    },
  );
  test('UUIDs are told whatever their case', () => {
    expect(GpuUuid.of(A.toUpperCase())?.toString()).toBe(A);
  });
  test.each(['', 'GPU-', `${A} `, `${A}\n`, `${A};x`, A.slice(4), MIG, 'GPU-????????-????-????-????-????????????'])(
    '%j is no UUID of a GPU',
    (text) => {
      expect(GpuUuid.of(text)).toBeUndefined();
    },
  );
  test('minor numbers', () => {
    expect(['0', '254', '255', '-1', '1.5', '', '1000', '0x1'].map(minorOf)).toEqual([
      ...[0, 254],
      ...Array.from({ length: 6 }, () => undefined),
    ]);
  });
});

describe('information files', () => {
  const path = '/proc/driver/nvidia/gpus/0000:70:00.0/information';
  const lines = (text: string) => text.split('\n').map((line) => `${path}:${line}`);
  const plain = (read: ReturnType<typeof readInformation>) =>
    read.tag === 'ok'
      ? read.value.map(({ address, uuid, minor }) => [address.inKernel, String(uuid), minor])
      : read.message;

  test('of a driver 550', () => {
    const text = `Model: \t\t NVIDIA L4\nIRQ:   \t\t 16\nGPU UUID: \t ${A}\nVideo BIOS: \t 95.04.65.00.13\nBus Type: \t PCIe\nDMA Size: \t 47 bits\nDMA Mask: \t 0x7fffffffffff\nBus Location: \t 0000:70:00.0\nDevice Minor: \t 0\nGPU Excluded:\t No`;
    expect(plain(readInformation(lines(text)))).toEqual([['0000:70:00.0', A, 0]]);
  });
  test('of a driver 384, which does not tell the minor number', () => {
    const text = `Model:           GeForce GTX 650\nIRQ:             44\nGPU UUID:        ${A}\nVideo BIOS:      80.07.35.00.80\nBus Type:        PCIe\nDMA Size:        40 bits\nDMA Mask:        0xffffffffff\nBus Location:    0000:04:00.0`;
    expect(plain(readInformation(lines(text)))).toEqual([['0000:04:00.0', A, undefined]]);
  });
  test('of a GPU that was never initialised', () => {
    const text =
      'GPU UUID: \t GPU-????????-????-????-????-????????????\nBus Location: \t 0000:70:00.0\nDevice Minor: \t 3';
    expect(plain(readInformation(lines(text)))).toEqual([['0000:70:00.0', 'unknown', 3]]);
  });
  test('what cannot be right is named', () => {
    expect(plain(readInformation(lines('GPU UUID: GPU-1\nDevice Minor: 0')))).toBe(
      `GPU UUID of 0000:70:00.0: "GPU-1" was found; accepted is ${GpuUuid.accepted}`,
    );
    expect(plain(readInformation(lines(`GPU UUID: ${A}\nDevice Minor: -1`)))).toContain(
      'Device Minor of 0000:70:00.0: "-1"',
    );
    expect(plain(readInformation(['grep: error']))).toContain('"grep: error" was found');
  });
});

describe('compute processes', () => {
  const plain = (read: ReturnType<typeof readComputeApps>) =>
    read.tag === 'ok' ? read.value.map(({ gpu, pid, name }) => [gpu.toString(), pid, name]) : read.message;

  test.each([
    ['', 0, []],
    ['No devices were found', 0, []],
    ['No devices were found', 6, []],
    ['Failed to initialize NVML: No supported GPUs were found\nUnable to determine the number of GPUs', 255, []],
    [`${A}, 4711, python3`, 0, [[A, 4711, 'python3']]],
    [
      `${A}, 1, vgpu\n${B}, 2, /opt/a, b`,
      0,
      [
        [A, 1, 'vgpu'],
        [B, 2, '/opt/a, b'],
      ],
    ],
    [`${A}, [N/A], [Not Found]`, 0, [[A, undefined, '[Not Found]']]],
    [`MIG-${A}/1/0, 5, app`, 0, [[A, 5, 'app']]],
  ] as const)('%j with exit code %i', (text, code, expected) => {
    expect(plain(readComputeApps(said(text, code), NO_OWNERS))).toEqual(expected);
  });
  test('on MIG devices they count for their GPU', () => {
    const list = said(
      `GPU 0: NVIDIA A100 80GB PCIe (UUID: ${A})\nGPU 1: NVIDIA A100-SXM4-80GB (UUID: ${B})\n  MIG 2g.20gb     Device  0: (UUID: ${MIG})`,
    );
    const owners = readMigOwners(list);
    expect(owners.tag).toBe('ok');
    const known = owners.tag === 'ok' ? owners.value : NO_OWNERS;
    expect(plain(readComputeApps(said(`${MIG}, 5, app`), known))).toEqual([[B, 5, 'app']]);
  });
  test.each([
    [A, 0],
    [`${A}, 5`, 0],
    [`${MIG}, 5, app`, 0],
    [`${A}, x, app`, 0],
    ['No devices were found', 1],
    [`${A}, 5, app`, 15],
    ['Failed to initialize NVML: Driver/library version mismatch', 18],
    ['Unable to determine the device handle for GPU 0000:09:00.0: Unknown Error', 0],
  ])('%j with exit code %i is told as it is', (text, code) => {
    expect(problemIn(readComputeApps(said(text, code), NO_OWNERS))).toContain(text.slice(0, 40));
  });
});

describe('lists', () => {
  test('boards with and without a serial number', () => {
    const text = `${A}, 1650000000001, 00000000:1F:00.0, NVIDIA A100-PCIE-80GB\n${B}, [N/A], 00000000:08:00.0, GeForce RTX 2080`;
    expect(readGpuList(said(text))).toMatchObject({
      tag: 'ok',
      value: [{ serialNumber: '1650000000001', model: 'NVIDIA A100-PCIE-80GB' }, { model: 'GeForce RTX 2080' }],
    });
    const second = readGpuList(said(`${B}, [Not Supported], 00000000:08:00.0, [N/A]`));
    expect(second.tag === 'ok' && Object.keys(second.value[0] ?? {})).toEqual(['uuid', 'address']);
  });
  test('MIG devices before any GPU belong to none', () => {
    expect(problemIn(readMigOwners(said(`  MIG 1g.5gb Device 0: (UUID: ${MIG})`)))).toContain('MIG 1g.5gb');
  });
});

describe('drain state', () => {
  test.each([
    ['The current drain state of GPU 00000000:3F:00.0 is: not draining.', 'notDraining'],
    ['The current drain state of GPU 00000000:3F:00.0 is: draining.', 'draining'],
    ['Drain State: Not Draining', 'notDraining'],
    ['Drain State: Draining', 'draining'],
    ['a warning\nDrain State: Draining', 'draining'],
  ])('%j', (text, expected) => {
    expect(readDrainState(said(text))).toEqual({ tag: 'ok', value: expected });
  });
  test.each([
    ['', 0],
    ['Drain State: Draining', 3],
    ['Drain State: Undraining', 0],
    ['Drain State: Draining\nDrain State: Not Draining', 0],
    ['Failed to parse PCI ID', 0],
  ])('%j with exit code %i is no state', (text, code) => {
    expect(readDrainState(said(text, code)).tag).toBe('wrong');
  });
});
