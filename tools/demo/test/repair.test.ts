import { systemClock } from '@cro/clock';
import { afterEach, expect, test } from 'vitest';
import { NAMESPACE, requestKind, startWorld, until, type SimWorld } from '../src/index.ts';

const spec = { resource: { type: 'gpu', model: 'NVIDIA-A100-PCIE-80GB', size: 1 } };

let open: SimWorld | undefined;

afterEach(async () => {
  await open?.close();
  open = undefined;
}, 30_000);

async function untilRequest(world: SimWorld, what: string, holds: (state: string, error: string) => boolean) {
  await until({
    clock: systemClock,
    what,
    on: [(look) => world.requests.subscribe(look)],
    value: () => {
      const status = world.requests.get('one')?.status;
      const errors = Object.values(status?.resources ?? {}).map(({ error = '' }) => error);
      return holds(status?.state ?? '', [status?.error ?? '', ...errors].join(' ')) ? true : undefined;
    },
    standing: () => JSON.stringify(world.requests.get('one')?.status),
    withinMs: 60_000,
    signal: world.trouble,
  });
}

test(
  'without its credentials it tells so, and goes on when they come, without a restart',
  { timeout: 120_000 },
  async () => {
    const world = await startWorld({ clock: systemClock, random: Math.random, webhook: false });
    open = world;
    const secret = world.kube.objects.get('secrets', 'credentials', NAMESPACE);
    if (secret === undefined) throw new Error('the world has no credentials');
    world.kube.objects.delete('secrets', 'credentials', NAMESPACE);
    world.startOperator();
    await world.untilOperatorLeads(30_000);
    await world.client.create(requestKind, { metadata: { name: 'one' }, spec });
    await untilRequest(world, 'the missing Secret is told', (_, error) => error.includes('credentials'));
    expect(world.fabric.calls()).toMatchObject({ attach: 0 });
    const { resourceVersion: _, ...metadata } = Object(secret['metadata']) as Record<string, unknown>;
    world.kube.objects.put({ ...secret, metadata });
    await untilRequest(world, 'the request is Running', (state) => state === 'Running');
    expect(world.fabric.calls()).toMatchObject({ attach: 1 });
  },
);
