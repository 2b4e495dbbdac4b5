import fc from 'fast-check';
import type { ComposableResource, ComposableResourceStatus } from '@cro/crd-types';
import { describe, expect, test } from 'vitest';
import {
  nextStatus,
  resourceFacts,
  resourceStateOf,
  resourceWords,
  type ResourceKnowledge,
  type ResourceReport,
  type StatusChange,
} from '../../src/index.ts';
import { location, NOW, objectOf, ticketOf } from './object.ts';
import { newborn } from './world.ts';

const known: ResourceKnowledge = {
  node: 'ready',
  visible: 'visible',
  health: { ok: true, message: '' },
  running: 'nothing',
  unstartedTicket: undefined,
  settled: false,
  draining: false,
};
const report = (more: Partial<ResourceReport> = {}): ResourceReport => ({
  state: 'Online',
  reason: 'Online',
  message: 'works',
  error: false,
  ...more,
});
const resource = (status?: ComposableResourceStatus): ComposableResource => ({
  ...objectOf(newborn),
  ...(status && { status }),
});
const next = (
  status: ComposableResourceStatus | undefined,
  change: StatusChange,
  more: Partial<ResourceKnowledge> = {},
) => nextStatus(resource(status), change, { known: { ...known, ...more }, now: NOW, location });
const ids = { device_id: 'GPU-a', cdi_device_id: 'RES-a' };
const device = { deviceId: 'GPU-a', cdiDeviceId: 'RES-a' };
const conditionsOf = (status: ComposableResourceStatus) =>
  Object.fromEntries((status.conditions ?? []).map(({ type, status: is, reason }) => [type, `${is} ${reason}`]));

const online = next({ state: 'Attaching', ...ids, fabric: location }, { tag: 'report', report: report() });

describe('what stands in the status', () => {
  test('a device that works', () => {
    expect(online).toMatchObject({ state: 'Online', ...ids, fabric: location, observedGeneration: 1 });
    expect(online).not.toHaveProperty('error');
    expect(conditionsOf(online)).toEqual({
      Ready: 'True Online',
      Attached: 'True Attached',
      Visible: 'True Visible',
      Healthy: 'True Ok',
    });
  });
  test('an error stands in error and in Ready, and goes when the next report has none', () => {
    const failing = report({ reason: 'Unhealthy', message: 'a Warning', error: true });
    const broken = next(online, { tag: 'report', report: failing }, { health: { ok: false, message: 'a Warning' } });
    expect(broken.error).toBe('a Warning');
    expect(conditionsOf(broken)).toMatchObject({ Ready: 'False Unhealthy', Healthy: 'False Unhealthy' });
    expect(next(broken, { tag: 'updateTicket', ticket: ticketOf('attach') }).error).toBe('a Warning');
    expect(next(broken, { tag: 'report', report: report() })).toEqual(online);
  });
  test('the ids, the place from the ticket and the state come with the removal of the ticket', () => {
    const ticket = { ...ticketOf('attach'), machine: 'machine-7' };
    const open = next(undefined, { tag: 'openTicket', ticket, report: report({ state: 'Attaching' }) });
    expect(open).toMatchObject({ state: 'Attaching', operation: ticket });
    expect(open).not.toHaveProperty('fabric');
    const closed = next(open, { tag: 'closeTicket', device, released: false, report: report() });
    expect(closed).toMatchObject({ ...ids, state: 'Online', fabric: { provider: 'fabric', machine: 'machine-7' } });
    expect(closed).not.toHaveProperty('operation');
  });
  test('a device that is not identified keeps its ticket, in phase attached', () => {
    const open = { state: 'Attaching', operation: ticketOf('attach') };
    const marked = next(open, {
      tag: 'markAttached',
      device: { cdiDeviceId: 'RES-a' },
      report: report({ state: 'Attaching' }),
    });
    expect(marked).toMatchObject({ cdi_device_id: 'RES-a', operation: { id: 'attach-1', phase: 'attached' } });
    expect(marked).not.toHaveProperty('device_id');
    expect(conditionsOf(marked)).toMatchObject({ Attached: 'True Attached', Visible: 'False NotIdentified' });
  });
  test('a device that went back keeps its ids until the node no longer shows it', () => {
    const detaching = report({ state: 'Detaching', reason: 'StillVisible' });
    const open = { ...online, state: 'Detaching', operation: ticketOf('detach') };
    const released = next(open, { tag: 'closeTicket', released: true, report: detaching });
    expect(released).toMatchObject(ids);
    expect(conditionsOf(released)).toMatchObject({ Ready: 'False StillVisible', Attached: 'False Released' });
    expect(next(online, { tag: 'recordReleased', report: detaching })).toMatchObject(ids);
    const told = next(released, { tag: 'report', report: detaching });
    expect(conditionsOf(told)).toMatchObject({ Attached: 'False Released' });
    const cleared = next(told, { tag: 'clearDevice', report: report({ state: 'Deleting', reason: 'Deleting' }) });
    for (const gone of ['device_id', 'cdi_device_id', 'fabric', 'operation']) expect(cleared).not.toHaveProperty(gone);
    expect(conditionsOf(cleared)).toMatchObject({ Attached: 'False NotAttached', Visible: 'False NotIdentified' });
  });
  test('that there is no fence stands beside what else is said, and is taken back only where it was said', () => {
    const missing = { reason: 'FenceForbidden', message: 'forbidden' } as const;
    expect(next(online, { tag: 'noteFence' })).toEqual(online);
    const without = next(online, { tag: 'noteFence', missing });
    expect(conditionsOf(without)).toEqual({ ...conditionsOf(online), Fenced: 'False FenceForbidden' });
    expect(conditionsOf(next(without, { tag: 'noteFence' }))).toMatchObject({ Fenced: 'True Fenced' });
  });
  test('ids come from the labels of an object that gives a device back', () => {
    const labelled = objectOf({ ...newborn, labels: 'device' });
    const change = { tag: 'takeIdsFromLabels', report: report({ state: 'Attaching' }) } as const;
    const taken = nextStatus(labelled, change, { known, now: NOW, location });
    expect(taken).toMatchObject({ state: 'Attaching', ...ids, fabric: location });
    const empty = nextStatus(objectOf({ ...newborn, labels: 'empty' }), change, {
      known,
      now: NOW,
      location: undefined,
    });
    expect(empty).not.toHaveProperty('device_id');
    expect(empty).not.toHaveProperty('fabric');
  });
  test('a recorded place is kept when the node is mapped to another machine later', () => {
    const elsewhere = { provider: 'fabric', machine: 'elsewhere' };
    const context = { known, now: NOW, location: elsewhere };
    expect(nextStatus(resource(online), { tag: 'report', report: report() }, context).fabric).toEqual(location);
    const bare = { state: 'Online', ...ids };
    expect(nextStatus(resource(bare), { tag: 'recordLocation' }, context)).toMatchObject({ fabric: elsewhere });
  });
});

describe('what stays said after a restart', () => {
  test('a fault, and that the device is visible, until there is something new', () => {
    const failing = report({ reason: 'Unhealthy', message: 'a Warning', error: true });
    const broken = next(online, { tag: 'report', report: failing }, { health: { ok: false, message: 'a Warning' } });
    const blind = { ...known, health: undefined, visible: 'unknown' } as const;
    expect(next(broken, { tag: 'report', report: failing }, blind)).toEqual(broken);
    expect(resourceFacts(resource(broken), 'Online', blind).health).toBe('faulty');
    expect(resourceWords(resource(broken), blind).health).toBe('a Warning');
    expect(resourceFacts(resource(online), 'Online', blind).health).toBe('ok');
    expect(resourceFacts(resource({ state: 'Online' }), 'Online', blind).health).toBe('unlisted');
  });
  test('of another device nothing is taken over', () => {
    const change = { tag: 'recordDevice', device: { ...device, deviceId: 'GPU-b' }, report: report() } as const;
    expect(conditionsOf(next(online, change, { visible: 'unknown' }))).toMatchObject({ Visible: 'Unknown NotRead' });
  });
});

describe('an object that another operator left in the middle of an attach', () => {
  const left = { state: 'Attaching' };
  const originOf = (status: ComposableResourceStatus) => resourceFacts(resource(status), 'Attaching', known).origin;
  test.each(['Settling', 'Paused', 'Detached', 'NodeGone', 'WaitingForLane', 'Unreachable'] as const)(
    'stays in doubt when %s is reported',
    (reason) => {
      const told = next(left, { tag: 'report', report: report({ state: 'Attaching', reason }) });
      expect(originOf(left)).toBe('inDoubt');
      expect(originOf(told)).toBe('inDoubt');
    },
  );
  test('is out of doubt once nothing was found, or a device, or a ticket was opened', () => {
    const attaching = report({ state: 'Attaching', reason: 'Attaching' });
    const ends: StatusChange[] = [
      { tag: 'report', report: attaching },
      { tag: 'recordDevice', device, report: attaching },
      { tag: 'openTicket', ticket: ticketOf('attach'), report: attaching },
    ];
    for (const change of ends) expect(originOf(next(left, change))).toBe('ours');
  });
});

describe('projection', () => {
  test('an unknown state is none; a missing one is the first', () => {
    expect(resourceStateOf(resource({ state: 'toString' }))).toBeUndefined();
    expect(resourceStateOf(resource({ state: 'Online' }))).toBe('Online');
    expect(resourceStateOf(resource())).toBe('');
  });
  test('empty ids are none (07c7558)', () => {
    expect(
      resourceFacts(resource({ state: 'Detaching', device_id: '', cdi_device_id: '' }), 'Detaching', known),
    ).toMatchObject({
      device: 'none',
    });
  });
  test('only the process that saved a ticket knows that it was not started', () => {
    const open = resource({ state: 'Attaching', operation: ticketOf('attach') });
    const startedWith = (unstartedTicket: string | undefined) =>
      resourceFacts(open, 'Attaching', { ...known, unstartedTicket }).started;
    expect([startedWith('attach-1'), startedWith('another'), startedWith(undefined)]).toEqual(['no', 'maybe', 'maybe']);
  });
});

test('a status that is written twice is the same, whenever that is', () => {
  const changes = fc.constantFrom<StatusChange>(
    { tag: 'report', report: report() },
    { tag: 'report', report: report({ state: 'Attaching', reason: 'Settling', error: true }) },
    { tag: 'recordLocation' },
    { tag: 'openTicket', ticket: ticketOf('attach'), report: report({ state: 'Attaching' }) },
    { tag: 'updateTicket', ticket: ticketOf('detach') },
    { tag: 'closeTicket', device, released: false, report: report() },
    { tag: 'closeTicket', released: true, report: report({ state: 'Detaching' }) },
    { tag: 'recordDevice', device: { cdiDeviceId: 'RES-b' }, report: report() },
    { tag: 'recordReleased', report: report({ state: 'Detaching' }) },
    { tag: 'clearDevice', report: report({ state: 'Deleting' }) },
  );
  const knowledge = fc.record({
    visible: fc.constantFrom('visible', 'absent', 'unknown'),
    health: fc.constantFrom(undefined, { ok: true, message: '' }, { ok: false, message: 'broken' }),
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(changes, knowledge), { minLength: 1, maxLength: 6 }), (story) => {
      let status: ComposableResourceStatus | undefined;
      for (const [change, more] of story) {
        const context = { known: { ...known, ...more }, location };
        status = nextStatus(resource(status), change, { ...context, now: NOW });
        expect(nextStatus(resource(status), change, { ...context, now: 'later' })).toEqual(status);
      }
    }),
  );
});
