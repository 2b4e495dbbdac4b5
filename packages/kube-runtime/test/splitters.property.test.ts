import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ItemSplitter } from '../src/client/item-splitter.ts';
import { LineSplitter } from '../src/watch/line-splitter.ts';

const json = fc.jsonValue({ maxDepth: 4 });
const item = fc.dictionary(fc.oneof(fc.constantFrom('items', '"', '\\', '{', '[', ']}'), fc.string()), json);

/** Cuts bytes into pieces anywhere, within characters too. */
function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

/** Feeds pieces through one buffer that is overwritten, as a sender may do. */
function feed(pieces: readonly Uint8Array[], push: (bytes: Uint8Array) => void): void {
  const buffer = new Uint8Array(64);
  for (const piece of pieces) {
    buffer.set(piece);
    push(buffer.subarray(0, piece.length));
    buffer.fill(0x7b);
  }
}

describe('ItemSplitter', () => {
  it('finds the items of any list, wherever its bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().filter((key) => key !== 'items' && key !== '__proto__'),
          json,
        ),
        fc.array(item),
        fc.dictionary(fc.constantFrom('kind', 'metadata', 'x'), json),
        fc.constantFrom(undefined, 1),
        sizes,
        (before, items, after, indent, pieceSizes) => {
          const list = { ...before, items, ...after };
          const found: unknown[] = [];
          const splitter = new ItemSplitter((text) => found.push(JSON.parse(text)));
          const bytes = new TextEncoder().encode(JSON.stringify(list, null, indent));
          feed(cut(bytes, pieceSizes), (piece) => {
            splitter.push(piece);
          });
          const plain: unknown = JSON.parse(JSON.stringify(list));
          expect({ ...JSON.parse(splitter.envelope() ?? 'null'), items: found }).toEqual(plain);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('notices items that are no objects', () => {
    const splitter = new ItemSplitter(() => undefined);
    splitter.push(Buffer.from('{"items":[{}, 7]}'));
    expect(splitter.envelope()).toBeUndefined();
  });
});

describe('LineSplitter', () => {
  it('finds the lines, wherever the bytes are cut', () => {
    const line = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\n'));
    fc.assert(
      fc.property(fc.array(line), sizes, (lines, pieceSizes) => {
        const found: string[] = [];
        const splitter = new LineSplitter();
        const bytes = new TextEncoder().encode(lines.map((text) => `${text}\n`).join(''));
        feed(cut(bytes, pieceSizes), (piece) => {
          found.push(...splitter.push(piece));
        });
        expect(found).toEqual(lines);
      }),
    );
  });

  it('keeps back a line that is not complete', () => {
    const splitter = new LineSplitter();
    expect([...splitter.push(Buffer.from('a\n\nb'))]).toEqual(['a']);
    expect([...splitter.push(Buffer.from('c\n'))]).toEqual(['bc']);
  });
});
