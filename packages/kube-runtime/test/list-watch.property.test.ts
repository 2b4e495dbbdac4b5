import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WatchInput } from '../src/watch/state.ts';
import { WatchModel } from './support/watch-model.ts';
import type { Widget } from './support/widget.ts';

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const index = fc.nat({ max: 3 });

const error = fc.constantFrom(0, 403, 404, 410, 429, 500, 503).map((status) => ({
  status,
  reason: 'Test',
  message: 'made up',
  ...(status === 429 && { retryAfterMs: 1_000 }),
}));

const fault: fc.Arbitrary<WatchInput> = fc.oneof(
  error.map((reported): WatchInput => ({ tag: 'failed', error: reported })),
  fc.constant<WatchInput>({ tag: 'garbled', message: 'no JSON' }),
  fc.constant<WatchInput>({ tag: 'closed' }),
);

const action = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ do: 'answer' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'bookmark' } as const) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('write' as const), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('ownWrite' as const), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('ownDelete' as const), name }) },
  // The reply to an own write arrives, in any order.
  { weight: 4, arbitrary: fc.record({ do: fc.constant('reply' as const), index }) },
  { weight: 1, arbitrary: fc.constant({ do: 'compact' } as const) },
  // From now on a version that is too old is answered with 410, or with a clean end and no word.
  { weight: 1, arbitrary: fc.record({ do: fc.constant('expired' as const), as: fc.constantFrom('error', 'close') }) },
  // The newest change cannot be read, however often it is sent.
  { weight: 1, arbitrary: fc.constant({ do: 'garble' } as const) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fault' as const), input: fault }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(100, 3_000) }) },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

/** The model, and the own writes whose replies are on their way or have come. */
class Run {
  readonly model = new WatchModel();
  readonly #replies: (() => void)[] = [];
  readonly deletedUids = new Set<string>();
  /** The newest version of each name that was seen here and deleted by us. What was there before does not come back. */
  readonly deletedVersions = new Map<string, number>();
  /** Uids that were told to be gone: they never come back. */
  readonly goneUids = new Set<string>();
  /** What the last reply said was stored. */
  lastReply: Widget | undefined;

  do(step: Action): void {
    const { model } = this;
    switch (step.do) {
      case 'answer':
        model.answer();
        return;
      case 'bookmark':
        model.answer(true);
        return;
      case 'write':
        model.write(step.name);
        return;
      case 'delete':
        model.delete(step.name);
        return;
      case 'ownWrite':
        this.#ownWrite(model.write(step.name));
        return;
      case 'ownDelete':
        this.#ownDelete(model.delete(step.name));
        return;
      case 'reply':
        this.lastReply = undefined;
        this.#replies.splice(step.index, 1)[0]?.();
        return;
      case 'compact':
        model.compact();
        return;
      case 'expired':
        model.expired = step.as;
        return;
      case 'garble':
        model.garble();
        return;
      case 'fault':
        model.feed(step.input);
        return;
      case 'pass':
        model.at += step.ms;
        return;
    }
  }

  #ownWrite(object: Widget): void {
    this.#replies.push(() => {
      this.model.store.wrote(object);
      this.lastReply = object;
    });
  }

  #ownDelete(object: Widget | undefined): void {
    if (object === undefined) return;
    this.#replies.push(() => {
      const key = `default/${object.metadata.name}`;
      const held = this.model.store.get(key);
      this.model.store.wroteGone(key, object.metadata.uid);
      // Of an object that was never seen here nothing is known: it may still pass by.
      if (held?.metadata.uid !== object.metadata.uid) return;
      this.deletedUids.add(object.metadata.uid);
      this.deletedVersions.set(object.metadata.name, Number(held.metadata.resourceVersion));
    });
  }
}

const versions = (objects: Iterable<Widget>) =>
  [...objects].map(({ metadata }) => `${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`).sort();

/** The version of each uid that was ever told, to see that none falls back. */
function checkEvents(run: Run, from: number, newest: Map<string, number>): void {
  for (const event of run.model.events.slice(from)) {
    const { uid, resourceVersion } = event.object.metadata;
    if (event.type === 'deleted') {
      run.goneUids.add(uid);
      continue;
    }
    expect(run.goneUids.has(uid)).toBe(false);
    expect(Number(resourceVersion)).toBeGreaterThan(newest.get(uid) ?? 0);
    newest.set(uid, Number(resourceVersion));
    expect(run.deletedUids.has(uid)).toBe(false);
  }
}

/** A name is used again, by us, and deleted by us, while the list still shows its first holder. */
const olderAfterOwnDelete: Action[] = [
  { do: 'ownWrite', name: 'a' },
  { do: 'ownWrite', name: 'e' },
  { do: 'ownWrite', name: 'd' },
  { do: 'answer' },
  { do: 'write', name: 'd' },
  { do: 'delete', name: 'd' },
  { do: 'reply', index: 0 },
  { do: 'ownWrite', name: 'd' },
  { do: 'ownDelete', name: 'd' },
  { do: 'answer' },
  { do: 'reply', index: 2 },
  { do: 'reply', index: 2 },
  { do: 'answer' },
];

/** The reply to the write of a name's first holder comes after the second one was deleted. */
const olderReplyAfterOwnDelete: Action[] = [
  { do: 'ownWrite', name: 'b' },
  { do: 'ownDelete', name: 'b' },
  { do: 'ownWrite', name: 'b' },
  { do: 'ownDelete', name: 'b' },
  { do: 'reply', index: 1 },
  { do: 'reply', index: 1 },
  { do: 'reply', index: 1 },
  { do: 'reply', index: 0 },
];

describe('the list-watch, in any interleaving of pages, events, errors, disconnects and own writes', () => {
  it('ends with what the server holds, and never steps back on the way', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 120, size: 'max' }), (actions) => {
        const run = new Run();
        const newest = new Map<string, number>();
        for (const step of actions) {
          const before = run.model.events.length;
          run.do(step);
          checkEvents(run, before, newest);
        }
        run.model.settle();
        expect(run.model.state.tag).toBe('watching');
        expect(versions(run.model.store.list())).toEqual(versions(run.model.objects.values()));
      }),
      { numRuns: 800, examples: [[olderAfterOwnDelete]] },
    );
  });

  it('shows an own write as soon as its reply is there', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 80, size: 'max' }), (actions) => {
        const run = new Run();
        for (const step of actions) {
          run.do(step);
          if (step.do !== 'reply') continue;
          const object = run.lastReply;
          if (object === undefined) continue;
          const { name: written, uid, resourceVersion } = object.metadata;
          const passed = Number(watched(run.model)) >= Number(resourceVersion);
          const outlived = (run.deletedVersions.get(written) ?? 0) > Number(resourceVersion);
          if (passed || outlived || run.deletedUids.has(uid)) continue;
          const held = run.model.store.get(`default/${object.metadata.name}`);
          expect(Number(held?.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(resourceVersion));
        }
      }),
      { numRuns: 500, examples: [[olderReplyAfterOwnDelete]] },
    );
  });

  it('tells every change: the events alone rebuild the cache', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 120, size: 'max' }), (actions) => {
        const run = new Run();
        for (const step of actions) run.do(step);
        const rebuilt = new Map<string, Widget>();
        for (const event of run.model.events) {
          const { name: key } = event.object.metadata;
          if (event.type === 'deleted') {
            expect(rebuilt.get(key)).toBe(event.object);
            rebuilt.delete(key);
          } else {
            expect(event.previous).toBe(rebuilt.get(key));
            rebuilt.set(key, event.object);
          }
        }
        expect(versions(rebuilt.values())).toEqual(versions(run.model.store.list()));
      }),
      { numRuns: 500 },
    );
  });

  it('finds its way when the server was restored from an old backup', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60, size: 'max' }), fc.subarray(['a', 'b', 'f']), (actions, names) => {
        const run = new Run();
        for (const step of actions) if (step.do !== 'ownDelete') run.do(step);
        run.model.settle();
        run.model.restore(names);
        run.model.settle();
        expect(versions(run.model.store.list())).toEqual(versions(run.model.objects.values()));
      }),
      { numRuns: 500 },
    );
  });
});

function watched(model: WatchModel): string {
  if (model.state.tag === 'watching') return model.state.resourceVersion;
  return (model.state.tag === 'waiting' ? (model.state.resume ?? model.state.known) : model.state.known) ?? '0';
}
