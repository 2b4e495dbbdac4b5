import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readComputeApps } from '../../src/nvidia/parse/compute-apps.ts';
import { readDrainState } from '../../src/nvidia/parse/drain-state.ts';
import { readGpuList, readMigOwners } from '../../src/nvidia/parse/gpu-list.ts';
import { readInformation } from '../../src/nvidia/parse/information.ts';
import { readLoad, readRemoved, readQuiesced } from '../../src/nvidia/parse/looks.ts';
import type { Read } from '../../src/nvidia/parse/read.ts';
import { GpuUuid, PciAddress } from '../../src/nvidia/patterns.ts';

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const uuid = fc.tuple(hex(8), hex(4), hex(4), hex(4), hex(12)).map((parts) => `GPU-${parts.join('-')}`);
const address = fc
  .tuple(hex(8), hex(2), fc.constantFrom('0', '1'), hex(1), fc.integer({ min: 0, max: 7 }))
  .map(([domain, bus, high, low, fn]) => `${domain}:${bus}:${high}${low}.${fn}`);
const word = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((text) => text.trim() !== '' && !/[\r\n]/.test(text));

/** Pieces that the parsers look for, in any order, with anything between them. */
const piece = fc.oneof(
  ...[uuid, address, word, fc.nat().map(String)],
  fc.constantFrom(
    '/proc/modules:nvidia 1',
    '/proc/12/cmdline',
    'apps ',
    'apps-exit 0',
    'holder ',
    'scanned 4',
    'end',
    'persistenced running 1',
    'mode-exit 0',
  ),
  fc.constantFrom(
    'machine virtual',
    'drain-exit 0',
    'Drain State: ',
    'draining',
    ', ',
    ':',
    '\n',
    ' ',
    '\t',
    '\0',
    'MIG-',
  ),
  fc.constantFrom(
    '/proc/driver/nvidia/gpus/',
    '/information:',
    'GPU UUID:',
    'Device Minor:',
    'Bus Location:',
    '(UUID: ',
  ),
);
const text = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(''));

const parsers: ((text: string) => Read<unknown>)[] = [
  (all) => readLoad(all),
  (all) => readRemoved(all),
  (all) => readQuiesced(all),
  (all) => readInformation(all.split('\n')),
  (all) => readComputeApps({ lines: all.split('\n'), code: 0 }, new Map()),
  (all) => readGpuList({ lines: all.split('\n'), code: 0 }),
  (all) => readMigOwners({ lines: all.split('\n'), code: 0 }),
  (all) => readDrainState({ lines: all.split('\n'), code: 0 }),
];

test('no text makes a parser throw, and what it complains of is one short printable line', () => {
  fc.assert(
    fc.property(text, (all) => {
      for (const parse of parsers) {
        const read = parse(all);
        if (read.tag === 'ok') continue;
        expect(read.message.length).toBeLessThan(500);
        expect(read.message).not.toMatch(/\p{Cc}/u);
      }
    }),
    { numRuns: 300 },
  );
});

test('an address that was read is written as one that reads back as the same', () => {
  fc.assert(
    fc.property(address, (written) => {
      const read = PciAddress.of(written);
      expect(read?.inKernel).toMatch(/^[0-9a-f]{4,8}:[0-9a-f]{2}:[01][0-9a-f]\.[0-7]$/);
      expect(PciAddress.of(read?.inNvidiaSmi ?? '')?.inKernel).toBe(read?.inKernel);
    }),
  );
});

test('only a UUID is taken for one, whatever stands before or behind it', () => {
  fc.assert(
    fc.property(uuid, fc.string({ maxLength: 3 }), fc.string({ maxLength: 3 }), (id, before, behind) => {
      expect(GpuUuid.of(before + id + behind)?.toString()).toBe(before + behind === '' ? id : undefined);
    }),
  );
});

test('each process of a list is read, with its name as far as it can be shown, or the list is refused', () => {
  const app = fc.record({ gpu: uuid, pid: fc.integer({ min: 1, max: 4_194_304 }), name: word });
  fc.assert(
    fc.property(fc.array(app, { maxLength: 6 }), fc.option(fc.nat()), (apps, cut) => {
      const lines = apps.map(({ gpu, pid, name }, index) => {
        const whole = `${gpu}, ${pid}, ${name}`;
        return index === 0 && cut !== null ? whole.slice(0, cut % gpu.length) : whole;
      });
      const read = readComputeApps({ lines, code: 0 }, new Map());
      if (apps.length > 0 && cut !== null) expect(read.tag).toBe('wrong');
      else {
        expect(read.tag === 'ok' && read.value.map(({ gpu, pid }) => [gpu.toString(), pid])).toEqual(
          apps.map(({ gpu, pid }) => [gpu, pid]),
        );
      }
    }),
  );
});

/** As much as is taken from a node at all: a node that is not our friend chooses what, and everybody else waits until it is read. */
const MOST = 524_288;

test.each([
  ...[
    'drain state ',
    'drain state:',
    'drain state: not ',
    ': ',
    ' ',
    '\n',
    'x\n',
    'MIG-',
    '(UUID: GPU-',
    '(UUID: GPU-a',
    ', ',
  ],
  ...[
    '[',
    '[]',
    '0',
    'a',
    '\u001b[2J',
    '\u202e',
    'apps ,\n',
    'drain \n',
    'mode \n',
    'holder 1 1 a\n',
    'drain drain state \n',
  ],
  ...[
    'GPU 0: ',
    '/proc/driver/nvidia/gpus/',
    '/proc/driver/nvidia/gpus/0/information:a\n',
    '/information:',
    '2026-01-01T00:00:00',
  ],
])('half a megabyte of %j is read at one go, as far as it is understood', (some) => {
  const whole = some.repeat(MOST / some.length);
  for (const parse of parsers) {
    for (const all of [
      whole,
      `${whole}\nend`,
      `drain ${whole}: draining\ndrain-exit 0\nmachine virtual\nscanned 1\nend`,
    ]) {
      const read = parse(all);
      if (read.tag === 'wrong') expect(read.message.length).toBeLessThan(500);
    }
  }
});
