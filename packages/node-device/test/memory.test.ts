import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  capacityIdentity,
  capacityVisibility,
  chunkId,
  memoryActions,
  NVIDIA_SLICES,
  parseChunkId,
  sliceKindWith,
  type HeldChunk,
  type MemoryLedger,
  type Standing,
} from '@cro/node-device';

const NODE = 'worker-0';
const { signal } = new AbortController();

/** A node with so much memory and these pieces. */
function ledgerOf(state: {
  capacityMiB: number | undefined;
  chunks?: readonly HeldChunk[];
  freeMiB?: number;
}): MemoryLedger {
  return {
    synced: true,
    capacityMiB: () => state.capacityMiB,
    chunksOn: () => state.chunks ?? [],
    freeMiB: () => Promise.resolve({ tag: 'free', freeMiB: state.freeMiB ?? 0 }),
    onChange: () => () => undefined,
  };
}

function piece(name: string, sizeMiB: number, standing: Standing, baseMiB = 16_384): HeldChunk {
  return { id: chunkId({ sizeMiB, baseMiB }, name), sizeMiB, baseMiB, standing };
}

function visible(capacityMiB: number, chunks: readonly HeldChunk[]): readonly string[] {
  const visibility = capacityVisibility(ledgerOf({ capacityMiB, chunks }));
  return chunks.map(({ id }) => visibility.of(NODE, id));
}

describe('the id of a piece of memory', () => {
  it('says its size and what was there before it, fits a label, and is of one piece', () => {
    const mib = fc.integer({ min: 1, max: 999_999_999_999 });
    fc.assert(
      fc.property(mib, mib, fc.string(), fc.string(), (sizeMiB, baseMiB, one, other) => {
        const id = chunkId({ sizeMiB, baseMiB }, one);
        expect(parseChunkId(id)).toEqual({ id, sizeMiB, baseMiB });
        expect(id).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,61}[A-Za-z0-9]$/);
        expect(chunkId({ sizeMiB, baseMiB }, other) === id).toBe(one === other);
      }),
    );
  });

  it('is no other text', () => {
    for (const text of ['', 'GPU-1', 'memory-0MiB-above-1MiB-000000000000', 'memory-1MiB-above-1MiB-00000000000g']) {
      expect(parseChunkId(text)).toBeUndefined();
    }
  });
});

describe('what a node shows of its memory', () => {
  it('is each piece when all have come, however much up to 1.6% a kernel keeps, and none when none has', () => {
    const sizes = fc.array(fc.integer({ min: 256, max: 1_048_576 }), { minLength: 1, maxLength: 12 });
    const standing = fc.constantFrom<Standing>('here', 'arriving', 'leaving');
    fc.assert(
      fc.property(sizes, standing, fc.double({ min: 0.984, max: 1, noNaN: true }), (all, how, share) => {
        const chunks = all.map((sizeMiB, n) => piece(`p-${n}`, sizeMiB, how));
        const total = all.reduce((sum, size) => sum + size, 0);
        expect(new Set(visible(16_384 + Math.floor(total * share), chunks))).toEqual(new Set(['visible']));
        expect(new Set(visible(16_384, chunks))).toEqual(new Set(['absent']));
      }),
    );
  });

  it('names the one that came last where one is missing, and the one that was released before all others', () => {
    const [old, young] = [piece('a', 2048, 'here'), piece('b', 2048, 'arriving')];
    expect(visible(16_384 + 2048, [young, old])).toEqual(['absent', 'visible']);
    const gone = piece('c', 2048, 'released');
    expect(visible(16_384 + 2 * 2048, [gone, young, old])).toEqual(['absent', 'visible', 'visible']);
  });

  it('is unknown until it has been read, and nothing of what has no such id', () => {
    const unread: MemoryLedger = { ...ledgerOf({ capacityMiB: 1 }), synced: false };
    expect(capacityVisibility(unread).of(NODE, piece('a', 1, 'here').id)).toBe('unknown');
    const visibility = capacityVisibility(ledgerOf({ capacityMiB: 99_999 }));
    expect(visibility.of(NODE, 'GPU-1')).toBe('absent');
    expect(visibility.missing?.(NODE, 'GPU-1')).toMatch(/not the id of a piece of memory/);
    const silent = capacityVisibility(ledgerOf({ capacityMiB: undefined }));
    const { id } = piece('a', 1024, 'arriving');
    expect([silent.of(NODE, id), silent.missing?.(NODE, id)]).toEqual([
      'absent',
      'the node does not say how much memory it has',
    ]);
  });
});

describe('which memory it is', () => {
  const question = { node: NODE, resource: 'r', hints: { memoryMiB: '2048' }, cdiDeviceId: 'cro-1', taken: [] };

  it('is told by its size and by what the node had before, other pieces left out', () => {
    const chunks = [piece('a', 4096, 'here'), piece('b', 1024, 'arriving')];
    const identity = capacityIdentity(ledgerOf({ capacityMiB: 16_384 + 4096, chunks }));
    const before = identity.shownBy(NODE);
    expect(before).toEqual(['20480MiB']);
    expect(identity.find({ ...question, before })).toEqual({
      tag: 'identified',
      deviceId: chunkId({ sizeMiB: 2048, baseMiB: 16_384 }, 'cro-1'),
    });
  });

  it.each([
    ['no size', { hints: {}, before: ['16384MiB'] }, /does not say how much/],
    ['a size that is none', { hints: { memoryMiB: '-1' }, before: ['16384MiB'] }, /does not say how much/],
    ['no look before', { before: undefined }, /nobody noted/],
    ['a look of another kind', { before: ['GPU-1'] }, /nobody noted/],
  ])('cannot be told with %s', (_, part, message) => {
    const outcome = capacityIdentity(ledgerOf({ capacityMiB: 16_384 })).find({ ...question, ...part });
    expect(outcome).toEqual({ tag: 'notYet', message: expect.stringMatching(message) as string });
  });

  it('could not be told while another leaves the node, or while one comes', () => {
    const [coming, leaving] = [piece('a', 2048, 'arriving'), piece('b', 2048, 'released')];
    const during = (chunks: readonly HeldChunk[], capacityMiB: number) =>
      capacityIdentity(ledgerOf({ capacityMiB, chunks })).unclear;
    expect(during([leaving], 18_432)?.('attach', NODE, '')).toMatch(/still shows memory/);
    expect(during([leaving], 16_384)?.('attach', NODE, '')).toBeUndefined();
    const staying = piece('c', 2048, 'leaving');
    expect(during([coming, staying], 18_432)?.('detach', NODE, staying.id)).toMatch(/does not show other memory yet/);
    expect(during([coming, staying], 20_480)?.('detach', NODE, staying.id)).toBeUndefined();
    expect(during([coming], 16_384)?.('detach', NODE, coming.id)).toBeUndefined();
  });
});

describe('memory in use', () => {
  const load = (freeMiB: number, chunks: readonly HeldChunk[], id: string, capacityMiB = 16_384 + 3 * 2048) =>
    memoryActions(ledgerOf({ capacityMiB, chunks, freeMiB })).findLoad(
      { node: NODE, deviceId: id, resource: 'r' },
      signal,
    );

  it('is what the pods would miss', async () => {
    const one = piece('a', 2048, 'leaving');
    expect(await load(2048, [one], one.id)).toEqual({ tag: 'idle' });
    expect(await load(2047, [one], one.id)).toMatchObject({
      tag: 'inUse',
      by: expect.stringContaining('2047 MiB') as string,
    });
    expect(await load(0, [one], one.id, 16_384)).toEqual({ tag: 'idle' });
  });

  it('counts what the fabric was asked to take, and lets as many leave as there is room for', async () => {
    const chunks = [piece('a', 2048, 'leaving'), piece('b', 2048, 'leaving'), piece('c', 2048, 'going')];
    const mayLeave = async (freeMiB: number) => {
      const loads = await Promise.all(chunks.slice(0, 2).map(({ id }) => load(freeMiB, chunks, id)));
      return loads.filter(({ tag }) => tag === 'idle').length;
    };
    expect(await mayLeave(2048)).toBe(0);
    expect(await mayLeave(2 * 2048)).toBe(1);
    expect(await mayLeave(3 * 2048)).toBe(2);
  });
});

describe('a slice of a driver that publishes memory', () => {
  const memory = { driver: 'cxl.example.com', attribute: 'cxl.example.com/gcxlid' };
  const slice = (driver: string, attributes: object) => ({
    metadata: { name: 's', uid: 'u', resourceVersion: '1' },
    spec: { driver, nodeName: NODE, pool: { name: NODE, generation: 1 }, devices: [{ name: 'd', attributes }] },
  });
  const devicesIn = (driver: string, attributes: object) => {
    const decoded = sliceKindWith({ ...NVIDIA_SLICES, memory }).decode(slice(driver, attributes));
    return decoded.tag === 'ok' ? decoded.object.devices : decoded.message;
  };

  it('has the devices that name themselves by that attribute, and no other driver has', () => {
    const attributes = { 'cxl.example.com/gcxlid': { string: '4C:0001' }, uuid: { string: 'GPU-1' } };
    expect(devicesIn(memory.driver, attributes)).toEqual([{ id: '4C:0001', name: 'd', isMemory: true }]);
    expect(devicesIn('gpu.nvidia.com', attributes)).toEqual([{ id: 'GPU-1', name: 'd' }]);
    expect(devicesIn(memory.driver, { uuid: { string: 'GPU-1' } })).toEqual([]);
    expect(devicesIn(memory.driver, { 'cxl.example.com/gcxlid': { int: 7 } })).toEqual([]);
  });
});
