import { delay } from '@cro/clock';
import { VirtualClock } from '@cro/clock/testing';
import { expect, it } from 'vitest';
import { electLeader, RuntimeMetrics, startController, type ReconcileResult } from '../src/index.ts';
import { seeded } from './support/random.ts';
import { world } from './support/world.ts';

it('metrics of a controller carry the names and labels of controller-runtime', async () => {
  const clock = new VirtualClock();
  const metrics = new RuntimeMetrics();
  const results: ReconcileResult[] = [
    { tag: 'done' },
    { tag: 'again', afterMs: 60_000 },
    { tag: 'failed', message: 'x' },
  ];
  const controller = startController({
    name: 'lamp',
    clock,
    random: seeded(1),
    concurrency: 1,
    metrics,
    signal: new AbortController().signal,
    reconcile: async () => {
      await delay(clock, 2_000);
      return results.shift() ?? { tag: 'done' };
    },
  });
  const has = async (...lines: string[]) => {
    const text = await metrics.registry.metrics();
    for (const line of lines) expect(text.split('\n')).toContain(line);
  };
  await has(
    'controller_runtime_reconcile_total{controller="lamp",result="success"} 0',
    'controller_runtime_reconcile_errors_total{controller="lamp"} 0',
    'controller_runtime_max_concurrent_reconciles{controller="lamp"} 1',
    'workqueue_adds_total{name="lamp"} 0',
  );
  for (const key of ['a', 'b', 'c']) controller.enqueue(key);
  await clock.advance(1_500);
  await has(
    'controller_runtime_active_workers{controller="lamp"} 1',
    'workqueue_depth{name="lamp"} 2',
    'workqueue_adds_total{name="lamp"} 3',
    'workqueue_unfinished_work_seconds{name="lamp"} 1.5',
    'workqueue_longest_running_processor_seconds{name="lamp"} 1.5',
  );
  await clock.advance(4_500);
  await has(
    'controller_runtime_reconcile_total{controller="lamp",result="success"} 1',
    'controller_runtime_reconcile_total{controller="lamp",result="requeue_after"} 1',
    'controller_runtime_reconcile_total{controller="lamp",result="error"} 1',
    'controller_runtime_reconcile_errors_total{controller="lamp"} 1',
    'controller_runtime_reconcile_time_seconds_sum{controller="lamp"} 6',
    'controller_runtime_active_workers{controller="lamp"} 0',
    'workqueue_depth{name="lamp"} 0',
    'workqueue_retries_total{name="lamp"} 1',
    'workqueue_queue_duration_seconds_sum{name="lamp"} 6',
    'workqueue_work_duration_seconds_count{name="lamp"} 3',
    'workqueue_longest_running_processor_seconds{name="lamp"} 0',
  );
});

it('metrics say who leads', async () => {
  const { client, clock, random, stop } = world();
  const metrics = new RuntimeMetrics();
  const leading = async () => (await metrics.registry.metrics()).split('\n').find((line) => line.startsWith('leader_'));
  const options = { client, clock, random, identity: 'a', namespace: 'n', name: 'lock', metrics, signal: stop.signal };
  const leadership = await electLeader(options);
  expect(await leading()).toBe('leader_election_master_status{name="lock"} 1');
  await leadership.release();
  expect(await leading()).toBe('leader_election_master_status{name="lock"} 0');
});
