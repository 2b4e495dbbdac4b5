import type { VirtualClock } from '@cro/clock/testing';
import type { ExecOutcome } from '@cro/kube-runtime/exec';
import type { HostSpec } from '@cro/node-sim';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NodeOutcome } from '../../src/index.ts';
import { modelNode, type Between, type ModelNode } from './model-node.ts';

const FIXED = {
  uuid: 'GPU-ffffffff-0000-0000-0000-00000000000f',
  serial: '1650000000099',
  model: 'NVIDIA L4',
  memoryMiB: 24_576,
};

/** What may happen on a node just before one of the commands reaches it, or to the command. */
const TROUBLES = ['opened', 'otherOpened', 'closed', 'persistent', 'lost', 'lostAfter', 'mig', 'warned'] as const;
type Trouble = (typeof TROUBLES)[number];

interface Story {
  readonly host: HostSpec;
  readonly gpus: number;
  readonly force: boolean;
  readonly troubles: readonly { readonly at: number; readonly what: Trouble }[];
}

const machine = { vm: fc.boolean(), fixedGpus: fc.constantFrom([], [FIXED]) };
const inContainer = fc.record({
  ...machine,
  driver: fc.constant('container' as const),
  persistenced: fc.constantFrom('none' as const, 'follows' as const, 'keeps' as const),
});
// On a host the daemon lets go of a GPU when its persistence mode is switched off.
const onHost = fc.record({
  ...machine,
  driver: fc.constant('host' as const),
  persistenced: fc.constantFrom('none' as const, 'follows' as const),
});

const story: fc.Arbitrary<Story> = fc.record({
  host: fc.oneof(inContainer, onHost),
  gpus: fc.integer({ min: 1, max: 2 }),
  force: fc.boolean(),
  troubles: fc.array(fc.record({ at: fc.integer({ min: 1, max: 9 }), what: fc.constantFrom(...TROUBLES) }), {
    maxLength: 4,
  }),
});

/** Processes that a story has started. */
type Started = Set<number>;

function troubleAt({ host, refTo }: ModelNode, what: Trouble, started: Started): void {
  const isBound = (uuid: string) => host.gpus().some((gpu) => gpu.uuid === uuid && gpu.minor !== undefined);
  const open = (uuid: string) => {
    if (isBound(uuid)) started.add(host.run({ comm: 'python3', opens: [uuid] }));
  };
  const uuid = refTo(0).deviceId;
  switch (what) {
    case 'opened':
      open(uuid);
      return;
    case 'otherOpened':
      open(refTo(1).deviceId);
      return;
    case 'closed':
      endAll(host, started);
      return;
    case 'persistent':
      // nvidia-smi does not see a GPU that is draining.
      if (host.gpus().some((gpu) => gpu.uuid === uuid && gpu.minor !== undefined && !gpu.draining)) {
        host.setPersistent(uuid, true);
      }
      return;
    case 'mig':
      if (isBound(uuid)) host.setMig(uuid, ['MIG-11111111-0000-4000-8000-000000000001']);
      return;
    case 'warned':
      host.setWarning('WARNING: infoROM is corrupted at gpu 0000:10:00.0\n');
      return;
    case 'lost':
    case 'lostAfter':
      return;
  }
}

function endAll(host: ModelNode['host'], started: Started): void {
  for (const pid of started) host.end(pid);
  started.clear();
}

/** The troubles of a story, and the deadline that every command has. */
function troubled(node: ModelNode, { troubles }: Story, started: Started): Between {
  return async (run, { deadlineMs }, index) => {
    const now = troubles.filter(({ at }) => at === index).map(({ what }) => what);
    for (const what of now) troubleAt(node, what, started);
    if (now.includes('lost')) return { tag: 'lost', message: 'cut off' };
    const outcome = await inTime(node.clock, deadlineMs, run());
    return now.includes('lostAfter') ? { tag: 'lost', message: 'cut off' } : outcome;
  };
}

function inTime(clock: VirtualClock, deadlineMs: number, run: Promise<ExecOutcome>): Promise<ExecOutcome> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(deadlineMs, () => {
      resolve({ tag: 'timedOut', deadlineMs });
    });
    run.then((outcome) => {
      cancel();
      resolve(outcome);
    }, reject);
  });
}

/** Lets time pass until it is over. */
async function passed(clock: VirtualClock, outcome: Promise<NodeOutcome>): Promise<NodeOutcome> {
  const over = outcome.then(() => true);
  while (!(await Promise.race([over, clock.advance(10_000).then(() => false)])));
  return outcome;
}

const MOST_TRIES = 6;

test('whatever happens meanwhile: what is said to be drained may be taken, and no other GPU is touched', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      const node = await modelNode(told.host, told.gpus);
      const { host, nodes, clock, refTo, take, left } = node;
      const started: Started = new Set();
      const others = left().filter((uuid) => uuid !== refTo(0).deviceId);
      const actions = node.actionsWith(troubled(node, told, started));
      const drain = () => {
        return passed(clock, actions.drain({ ...refTo(0), force: told.force }, new AbortController().signal));
      };
      let outcome = await drain();
      for (let tries = 1; outcome.tag !== 'done' && tries < MOST_TRIES; tries += 1) {
        if (tries > 2) endAll(host, started);
        outcome = await drain();
      }
      expect(outcome).toEqual({ tag: 'done' });
      take(0);
      nodes.assertNoFaults();
      expect(left()).toEqual(others);
      expect(host.gpus().filter(({ draining }) => draining)).toEqual([]);
    }),
    { numRuns: 30 },
  );
});
