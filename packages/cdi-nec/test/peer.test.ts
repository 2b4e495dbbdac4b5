import { playOnPeer, type Peer } from '@cro/cdi-core/testing';
import { describe, expect, test } from 'vitest';
import { Applies } from './peers/applies.ts';
import { playBesideOthers } from './peers/somebody-else.ts';
import { BASE, MODEL, openCdim } from './support/cdim.ts';

describe('the stories that a real CDIM is tried with', () => {
  test('go well on the simulated one, whose view lags, and leave it as it was', async () => {
    const world = openCdim({ attachMs: 1_500, detachMs: 500, viewLagMs: 3_000 }, { hwControl: BASE });
    const [first = '', ...others] = world.machines;
    const machines = [first, ...others] as const;
    const peer: Peer = { open: () => world.restart(), clock: world.clock, type: 'gpu', model: MODEL, machines };
    const lines: string[] = [];
    const tell = (line: string) => void lines.push(line);
    const story = playOnPeer(peer, tell)
      .then(() => playBesideOthers(peer, new Applies(world.http, world.clock, BASE), tell))
      .catch((error: unknown) => {
        tell(error instanceof Error ? error.message : String(error));
      });
    await world.settle(story);
    expect(lines.at(-1)).toMatch(/^a device that they took first: .*"Conflict"/);
    world.sim.assertPoolWhole();
  });
});
