import type { ComposabilityRequest, ComposabilityRequestStatus, ComposableResource } from '@cro/crd-types';
import { describe, expect, test } from 'vitest';
import {
  isLeaving,
  nextRequestStatus,
  requestFacts,
  requestStateOf,
  requestWords,
  sameResource,
  type RequestReport,
} from '../../src/index.ts';
import { childrenOf, NOW, requestOf } from './object.ts';
import { newborn, type Child } from './world.ts';

const report = (more: Partial<RequestReport> = {}): RequestReport => ({
  state: 'Running',
  reason: 'Running',
  message: 'All devices are online.',
  error: false,
  ...more,
});
const request = (status?: ComposabilityRequestStatus): ComposabilityRequest => ({
  ...requestOf(newborn),
  ...(status && { status }),
});
const childrenWith = (a: Child, b: Child = 'absent') => childrenOf({ ...newborn, children: { a, b, c: 'absent' } });
const withStatus = (child: ComposableResource, status: Partial<NonNullable<ComposableResource['status']>>) => ({
  ...child,
  status: { state: 'Attaching', ...child.status, ...status },
});
const conditionsOf = ({ conditions }: ComposabilityRequestStatus) =>
  Object.fromEntries((conditions ?? []).map(({ type, status, reason }) => [type, `${status} ${reason}`]));
const updating = nextRequestStatus(
  request(),
  {
    tag: 'recordPlan',
    plan: { a: 'worker-0', b: 'worker-1' },
    placed: true,
    report: report({ state: 'Updating', reason: 'Planned' }),
  },
  [],
  NOW,
);

describe('status', () => {
  test('a plan: names and nodes, the spec that it is for, Placed', () => {
    expect(updating).toMatchObject({
      state: 'Updating',
      resources: { a: { state: '', node_name: 'worker-0' }, b: { state: '', node_name: 'worker-1' } },
      scalarResource: { size: 2 },
      observedGeneration: 1,
    });
    expect(updating).not.toHaveProperty('error');
    expect(conditionsOf(updating)).toEqual({ Ready: 'False Planned', Placed: 'True Planned' });
  });
  test("a child's words are copied: state, ids, node, error (4.2)", () => {
    const [child] = childrenWith('new');
    if (child === undefined) throw new Error('no child');
    const ids = { device_id: 'GPU-a', cdi_device_id: 'RES-a' };
    const told = withStatus(child, { ...ids, error: 'no driver' });
    const status = nextRequestStatus(request(updating), { tag: 'report', report: report() }, [told], NOW);
    expect(status.resources).toEqual({
      a: { state: 'Attaching', ...ids, node_name: 'worker-0', error: 'no driver' },
      b: { state: '', node_name: 'worker-1' },
    });
    const bare = { ...child };
    delete bare.status;
    const fresh = nextRequestStatus(request(updating), { tag: 'report', report: report() }, [bare], NOW);
    expect(fresh.resources?.['a']).toEqual({ state: '', node_name: 'worker-0' });
  });
  test('no room: the error, Placed false with the reason, as long as it lasts', () => {
    const unplaced = report({ state: 'NodeAllocating', reason: 'InsufficientNodes', message: 'no room', error: true });
    const change = { tag: 'recordPlan', plan: {}, placed: false, report: unplaced } as const;
    const full = nextRequestStatus(request(), change, [], NOW);
    expect(full.error).toBe('no room');
    expect(conditionsOf(full)).toEqual({ Ready: 'False InsufficientNodes', Placed: 'False InsufficientNodes' });
    const other = nextRequestStatus(request(updating), { tag: 'report', report: unplaced }, [], NOW);
    expect(conditionsOf(other)).toMatchObject({ Placed: 'False InsufficientNodes' });
  });
  test('Ready only while all run; Placed is not touched by it', () => {
    const running = nextRequestStatus(request(updating), { tag: 'report', report: report() }, [], NOW);
    expect(conditionsOf(running)).toEqual({ Ready: 'True Running', Placed: 'True Planned' });
    const failing = report({ reason: 'DeviceFailing', message: 'broken', error: true });
    expect(conditionsOf(nextRequestStatus(request(running), { tag: 'report', report: failing }, [], NOW))).toEqual({
      Ready: 'False DeviceFailing',
      Placed: 'True Planned',
    });
    const soon = nextRequestStatus(
      request(updating),
      { tag: 'report', report: report({ state: 'Updating' }) },
      [],
      NOW,
    );
    expect(conditionsOf(soon)).toMatchObject({ Ready: 'False Running' });
  });
  test('what another operator planned is placed; what is deleted says nothing of it', () => {
    const inherited = { state: 'Running', resources: {} };
    const placedAfter = (state: RequestReport['state']) =>
      conditionsOf(nextRequestStatus(request(inherited), { tag: 'report', report: report({ state }) }, [], NOW))[
        'Placed'
      ];
    expect([placedAfter('Running'), placedAfter('Updating'), placedAfter('Cleaning'), placedAfter('')]).toEqual([
      'True Planned',
      'True Planned',
      undefined,
      'False Running',
    ]);
  });
});

describe('facts', () => {
  const factsOf = (status: ComposabilityRequestStatus | undefined, children: ComposableResource[]) =>
    requestFacts(request(status), 'Updating', children, { target: 'unset', draining: false });
  test('planned and not created: missing, also for the next round of planning (OWN-14)', () => {
    expect(factsOf(updating, [])).toMatchObject({ missing: 'some', lost: 'none', extra: 'none', children: 'none' });
  });
  test('planned, created and gone: lost', () => {
    const seen = { ...updating, resources: { a: { state: 'Online' } } };
    expect(factsOf(seen, [])).toMatchObject({ missing: 'none', lost: 'some' });
    expect(factsOf(updating, childrenWith('leaving', 'online'))).toMatchObject({ lost: 'some', missing: 'none' });
  });
  test('on their way out they do not count (e67db6c); Detaching alone is not yet deleted', () => {
    expect(factsOf(updating, childrenWith('online', 'lost'))).toMatchObject({
      online: 'notAll',
      lost: 'some',
      children: 'some',
    });
    expect(factsOf(updating, childrenWith('leaving'))).toMatchObject({ extra: 'none', children: 'leaving' });
    expect([...childrenWith('lost'), ...childrenWith('leaving'), ...childrenWith('new')].map(isLeaving)).toEqual([
      true,
      true,
      false,
    ]);
  });
  test('not planned: extra', () => {
    const one = { ...updating, resources: { a: { state: 'Online' } } };
    expect(factsOf(one, childrenWith('online', 'new'))).toMatchObject({ extra: 'some', online: 'all' });
  });
  test('none planned: all are Online', () => {
    expect(factsOf({ ...updating, resources: {} }, [])).toMatchObject({ online: 'all', missing: 'none' });
  });
  test('the plan belongs to a spec', () => {
    expect(factsOf(undefined, []).plan).toBe('none');
    expect(factsOf(updating, []).plan).toBe('current');
    expect(factsOf({ ...updating, scalarResource: { type: 'gpu', model: 'A100', size: 3 } }, []).plan).toBe('outdated');
  });
  test('words tell of the first child that fails, by name', () => {
    const children = childrenWith('new', 'online').map((child) =>
      withStatus(child, { error: `${child.metadata.name} fails` }),
    );
    expect(requestWords(request(updating), children.reverse())).toEqual({
      targetNode: '',
      pausedBy: 'the drain mode of the operator',
      online: 1,
      planned: 2,
      childError: 'a fails',
    });
  });
  test('an unknown state is none', () => {
    expect(requestStateOf(request({ state: 'unknown' }))).toBeUndefined();
    expect(requestStateOf(request({ state: 'Cleaning' }))).toBe('Cleaning');
    expect(requestStateOf(request())).toBe('');
  });
});

describe('two specs ask for the same', () => {
  const spec = { type: 'gpu', model: 'A100', size: 2 } as const;
  test('when what is not said is what the defaults say', () => {
    const full = {
      ...spec,
      force_detach: false,
      allocation_policy: 'samenode',
      target_node: '',
      other_spec: { memory: 0 },
    } as const;
    expect(sameResource(spec, full)).toBe(true);
  });
  test.each([
    { type: 'cxlmemory' },
    { model: 'V100' },
    { size: 3 },
    { force_detach: true },
    { allocation_policy: 'differentnode' },
    { target_node: 'worker-0' },
    { other_spec: { milli_cpu: 1 } },
    { other_spec: { memory: 1 } },
    { other_spec: { ephemeral_storage: 1 } },
    { other_spec: { allowed_pod_number: 1 } },
  ] as const)('but not with another %o', (more) => {
    expect(sameResource(spec, { ...spec, ...more })).toBe(false);
  });
});
