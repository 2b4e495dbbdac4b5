import { beforeAll, describe, expect, it } from 'vitest';
import { annotate, bringUp, childrenOf, eventsOf, takeDown } from './world/acts.ts';
import { putRequest, REQUESTS, RESOURCES, resourcesOf, runsWith, until } from './world/objects.ts';
import { putSecret } from './world/secret.ts';
import { makeWorld, type Life, type World } from './world/world.ts';

/* What people read: events, log lines, metrics; and what nobody may read. */

describe('events', () => {
  it('of a request that succeeds: one, when it runs; and one more when it runs with another size', async () => {
    const world = await makeWorld();
    world.startOperator();
    await bringUp(world, 'story', { size: 2 });
    await world.clock.advance(60_000);
    expect(eventsOf(world)).toEqual([
      { about: 'story', type: 'Normal', reason: 'Running', message: 'all 2 devices are online', count: 1 },
    ]);
    await bringUp(world, 'story', { size: 3 });
    await world.clock.advance(60_000);
    const messages = eventsOf(world).map(({ message }) => message);
    expect(messages.sort()).toEqual(['all 2 devices are online', 'all 3 devices are online']);
  });

  it('of a failure that comes, goes, and comes again after the device worked: two', async () => {
    const world = await makeWorld({ nodes: 1 });
    world.startOperator();
    const [child] = await bringUp(world, 'story', { size: 1 });
    const id = child?.status?.cdi_device_id ?? '';
    for (const status of ['2', '0', '2']) {
      world.fabric.setHealth(id, status);
      await world.clock.advance(120_000);
    }
    expect(eventsOf(world, child?.metadata.name)).toMatchObject([{ reason: 'Unhealthy', count: 2 }]);
  });

  it('that cannot be written stop nothing', async () => {
    const world = await makeWorld();
    world.kube.faults.add({
      match: ({ resource }) => resource === 'events',
      when: 'before',
      times: Infinity,
      trouble: { tag: 'fail', code: 403, reason: 'Forbidden', message: 'events is forbidden' },
    });
    world.startOperator();
    await bringUp(world, 'story', { size: 1 });
    await takeDown(world, 'story');
    expect(eventsOf(world)).toEqual([]);
    world.fabric.assertPoolWhole();
  });
});

describe('the log', () => {
  it('has one line a transition, with the same reconcile id as nothing else but its own pass', async () => {
    const world = await makeWorld();
    world.startOperator();
    await bringUp(world, 'story', { size: 1 });
    const [child] = childrenOf(world, 'story');
    await takeDown(world, 'story');
    const moves = (key: string, name: string) =>
      world.log
        .filter(({ message, fields }) => message === 'transition' && fields[key] === name)
        .map(({ fields }) => [fields['from'], fields['to']].join('>'));
    expect(moves('resource', child?.metadata.name ?? '')).toEqual([
      '>Attaching',
      'Attaching>Online',
      'Online>Detaching',
      'Detaching>gone',
    ]);
    expect(moves('request', 'story')).toEqual(['>Updating', 'Updating>Running', 'Running>Cleaning', 'Cleaning>gone']);
    for (const { message, fields } of world.log) {
      if (message !== 'transition') continue;
      expect(fields['reconcileId']).toMatch(/^[0-9a-f-]{8,}$/);
      expect(fields['why']).toEqual(expect.any(String));
    }
  });

  it('of a failing device has one warning a failure, however often it is tried', async () => {
    const world = await makeWorld({ devices: 0 });
    world.startOperator();
    putRequest(world, 'story', { size: 1 });
    await world.clock.advance(900_000);
    const warnings = world.log.filter(({ level, fields }) => level === 'warn' && fields['resource'] !== undefined);
    expect(warnings).toHaveLength(1);
    expect(world.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('secrets', () => {
  it('stand in no log line, status, event or metric, whatever goes wrong', async () => {
    const world = await makeWorld({ secret: false });
    const { credentials } = world.fabric;
    const wrong = { ...credentials, password: 'wrong-password-0815', clientSecret: 'wrong-secret-4711' };
    putSecret(world.kube, wrong);
    const life = world.startOperator();
    putRequest(world, 'story', { size: 1 });
    await until(world, 'told', () => resourcesOf(world).some(({ status }) => status?.error !== undefined));
    // A server that sends back what it was sent.
    for (const secret of [wrong.password, credentials.password])
      world.fabric.faults.add({
        kind: 'token',
        effect: {
          tag: 'answer',
          status: 400,
          body: { json: { error: 'invalid', got: `password=${secret}&client_secret=${wrong.clientSecret}` } },
        },
      });
    await world.clock.advance(30_000);
    putSecret(world.kube, credentials);
    await until(world, 'running', () => runsWith(world, 'story', 1), 300_000);
    world.fabric.revokeTokens();
    await world.clock.advance(120_000);
    await takeDown(world, 'story');
    const everything = [
      JSON.stringify(world.log),
      JSON.stringify(eventsOf(world)),
      JSON.stringify(world.kube.objects.list(REQUESTS)),
      JSON.stringify(world.kube.objects.list(RESOURCES)),
      await life.metrics(),
      life.operator.notReady().join(),
    ].join('\n');
    expect(life.secrets).toEqual(
      new Set([
        ...[
          credentials.password,
          credentials.clientSecret,
          credentials.username,
          credentials.clientId,
          credentials.realm,
        ],
        ...[wrong.password, wrong.clientSecret],
      ]),
    );
    for (const secret of [wrong.password, wrong.clientSecret, credentials.password, credentials.clientSecret])
      expect(everything).not.toContain(secret);
    expect(everything).not.toContain('eyJ');
  });
});

describe('metrics', () => {
  let world: World;
  let life: Life;
  beforeAll(async () => {
    world = await makeWorld({ nodes: 1, attachMs: 2_000 });
    life = world.startOperator();
    world.fabric.move(world.fabric.snapshot().free.at(-1) ?? '', world.machines[0]);
    await bringUp(world, 'story', { size: 1 });
    await world.clock.advance(60_000);
    putRequest(world, 'story', { size: 2 });
    await until(world, 'attaching', () => world.fabric.calls().attach === 2);
  });

  it.each([
    'controller_runtime_reconcile_total{controller="composableresource",result="success"}',
    'controller_runtime_reconcile_errors_total{controller="composabilityrequest"} 0',
    'controller_runtime_max_concurrent_reconciles{controller="composableresource"} 32',
    'workqueue_depth{',
    'workqueue_adds_total{',
    'rest_client_requests_total{code="200"',
    'cro_fabric_operation_duration_seconds_count{op="attach",result="done"} 1',
    'cro_fabric_operation_duration_seconds_sum{op="attach",result="done"} 2',
    'cro_fabric_operations_in_flight{op="attach"} 1',
    'cro_devices{state="Online"} 1',
    'cro_devices{state="Attaching"} 1',
    'cro_orphans 1',
  ])('have %s', async (line) => {
    expect(await life.metrics()).toContain(line);
  });

  it('count what the fabric refused by its result', async () => {
    await until(world, 'running', () => runsWith(world, 'story', 2));
    world.fabric.faults.add({
      kind: 'detach',
      effect: {
        tag: 'answer',
        status: 400,
        body: { json: { status: 400, detail: { code: 'E', message: 'm', data: {} } } },
      },
    });
    annotate(world, REQUESTS, 'story', { 'example.com/x': '1' });
    await takeDown(world, 'story');
    const text = await life.metrics();
    expect(text).toContain('cro_fabric_operation_duration_seconds_count{op="detach",result="refused"} 1');
    expect(text).toContain('cro_fabric_operation_duration_seconds_count{op="detach",result="done"} 2');
    expect(text).toContain('cro_fabric_operations_in_flight{op="detach"} 0');
    expect(text).not.toContain('cro_devices{state="Online"}');
  });
});
