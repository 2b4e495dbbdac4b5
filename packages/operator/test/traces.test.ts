import { parseComposabilityRequest, parseComposableResource, type ComposableResource } from '@cro/crd-types';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Decided } from '../src/index.ts';
import { accepted, type AcceptedDifference } from './traces/accepted.ts';
import { decide, factsOf } from './traces/replay.ts';
import { resourcesOf, until } from './world/objects.ts';
import { makeWorld } from './world/world.ts';

/* What earlier releases stored and decided: this one reads it, sees the same, and decides the same. */

const FOLDER = new URL('./traces/', import.meta.url);
type Recorded = Decided & { readonly facts: object };

function traceOf(file: string): Recorded[] {
  const lines = readFileSync(new URL(file, FOLDER), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Recorded);
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Whether a step is of those that an accepted difference is about. */
function isOf({ row, facts }: AcceptedDifference, step: Recorded): boolean {
  const limits = Object.entries(facts ?? {});
  const seen = new Map<string, unknown>(Object.entries(step.facts));
  return step.row === row && limits.every(([name, value]) => seen.get(name) === value);
}

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));

it('there is a trace of a release', () => {
  expect(files.length).toBeGreaterThan(0);
});

describe.each(files)('%s', (file) => {
  const release = file.replace('.jsonl', '');
  const trace = traceOf(file);

  it('every object is read by the present schema, as it is', () => {
    for (const { kind, object } of trace) {
      const parsed = kind === 'resource' ? parseComposableResource(object) : parseComposabilityRequest(object);
      expect(parsed).toMatchObject({ tag: 'ok', object });
    }
  });

  it('every situation gives the same facts and the same decision, but for the accepted differences', () => {
    for (const step of trace) {
      if (accepted.some((one) => one.release === release && isOf(one, step))) continue;
      const { row, decision } = decide(step);
      expect(plain({ row, decision })).toEqual({ row: step.row, decision: step.decision });
      // A later release may see more, but not otherwise.
      expect(plain(factsOf(step))).toMatchObject(step.facts);
    }
  });

  it('every accepted difference is one, and says why', () => {
    for (const one of accepted.filter((difference) => difference.release === release)) {
      expect(
        trace.some(
          (step) => isOf(one, step) && JSON.stringify(decide(step).decision) !== JSON.stringify(step.decision),
        ),
      ).toBe(true);
      expect(one.reason.length).toBeGreaterThan(20);
    }
  });

  const open = new Map(
    trace.flatMap((step): [string, ComposableResource][] => {
      const ticket = step.kind === 'resource' ? step.object.status?.operation : undefined;
      return ticket === undefined || step.kind !== 'resource' ? [] : [[`${ticket.op}, ${ticket.phase}`, step.object]];
    }),
  );

  it('has tickets of both operations', () => {
    expect([...open.keys()]).toEqual(expect.arrayContaining(['attach, open', 'detach, open']));
  });

  it.each([...open])(
    'a ticket that is open (%s) is resumed: by reads, and then at most one call',
    async (_, object) => {
      const world = await makeWorld();
      const {
        ownerReferences: _owner,
        deletionTimestamp: _deleted,
        ...metadata
      } = object.metadata as typeof object.metadata & { readonly ownerReferences?: unknown };
      const op = object.status?.operation?.op;
      if (op === 'detach') world.fabric.move(object.status?.cdi_device_id ?? '', object.status?.operation?.machine);
      world.kube.objects.put({ ...object, metadata });
      world.startOperator();
      await world.clock.advance(60_000);
      expect(world.fabric.calls()).toMatchObject({ attach: 0, detach: 0 });
      const isClosed = () =>
        resourcesOf(world).every(({ status }) => status?.operation?.id !== object.status?.operation?.id);
      await until(world, 'the ticket is closed', isClosed, 400_000);
      await world.clock.advance(60_000);
      expect(world.fabric.calls().attach).toBe(op === 'attach' ? 1 : 0);
      expect(world.fabric.calls().detach).toBeLessThanOrEqual(1);
    },
  );
});
