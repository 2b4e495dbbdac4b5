import { playOnPeer } from '@cro/cdi-core/testing';
import { describe, expect, test } from 'vitest';
import { MODEL, openFabric, type Fabric } from './support/fabric.ts';

/** What was told, and last what went wrong. */
async function playOn(fabric: Fabric): Promise<readonly string[]> {
  const [first = '', ...others] = fabric.machines;
  const lines: string[] = [];
  const peer = {
    open: () => fabric.restart(),
    clock: fabric.clock,
    type: 'gpu',
    model: MODEL,
    machines: [first, ...others],
  } as const;
  const tell = (line: string) => void lines.push(line);
  const story = playOnPeer(peer, tell).catch((error: unknown) => {
    tell(error instanceof Error ? error.message : String(error));
  });
  await fabric.settle(story);
  return lines;
}

describe('the story that real Fabric Managers are tried with', () => {
  test.each(['product', 'ciMock'] as const)(
    'goes well on the simulated one (%s), and leaves it as it was',
    async (fmDialect) => {
      const fabric = openFabric({ fmDialect });
      const before = fabric.sim.snapshot();
      const lines = await playOn(fabric);
      expect(lines.at(-1)).toMatch(/^detached 4; /);
      expect(fabric.sim.snapshot()).toEqual(before);
    },
  );

  test('stops at what goes wrong, and gives back what it holds', async () => {
    const fabric = openFabric();
    fabric.sim.faults.add({ kind: 'inventory', nth: 2, times: Infinity, effect: { tag: 'exhausted' } });
    const lines = await playOn(fabric);
    expect(lines.at(-2)).toMatch(/^gives back .*: \{"tag":"done"\}$/);
    expect(lines.at(-1)).toMatch(/^the inventory does not say how many are free/);
    expect(fabric.sim.attachedTo(fabric.machine)).toEqual([]);
  });
});
