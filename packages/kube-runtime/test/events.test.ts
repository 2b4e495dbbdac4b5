import { describe, expect, it } from 'vitest';
import { EventRecorder } from '../src/index.ts';
import { RecentMap } from '../src/events/recent-map.ts';
import { recordingLog } from './support/log.ts';
import { status } from './support/tiny-server.ts';
import { world } from './support/world.ts';

const about = { apiVersion: 'test.example/v1', kind: 'Widget', name: 'a', uid: 'u1' };

function recorder() {
  const { clock, server, client, random } = world();
  const { log, lines } = recordingLog();
  const events = new EventRecorder({ client, clock, random, component: 'tester', log });
  return { clock, server, events, lines, all: () => server.history.all('events') };
}

describe('EventRecorder', () => {
  it('writes an event that kubectl can show', async () => {
    const { events, all } = recorder();
    events.event({ ...about, namespace: 'team' }, 'Normal', 'Running', 'all is well');
    await events.flush();
    expect(all()).toMatchObject([
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { namespace: 'team' },
        involvedObject: { ...about, namespace: 'team' },
        type: 'Normal',
        reason: 'Running',
        message: 'all is well',
        source: { component: 'tester' },
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:00:00Z',
        count: 1,
      },
    ]);
    expect(all()[0]?.metadata.name).toMatch(/^a\.[0-9a-f]{12}$/);
  });

  it('puts events about cluster-scoped objects into the namespace default', async () => {
    const { events, all } = recorder();
    events.event(about, 'Normal', 'Running', 'all is well');
    await events.flush();
    expect(all()).toMatchObject([{ metadata: { namespace: 'default' } }]);
  });

  it('tells whatever somebody else has said on one printable line', async () => {
    const { events, all } = recorder();
    events.event(about, 'Warning', 'Failed', `node \u001b[2J\u202egone\r\n${'x'.repeat(100_000)}\0`);
    await events.flush();
    const whole = /^(?=.{1024}$)node {2}\[2J gone x+\.\.\.$/;
    expect(all()).toMatchObject([{ message: expect.stringMatching(whole) as string }]);
  });

  it('counts equal events up instead of making new ones', async () => {
    const { clock, events, all, server } = recorder();
    for (let at = 0; at < 3; at += 1) events.event(about, 'Warning', 'Failed', 'no');
    await events.flush();
    await clock.advance(5_000);
    events.event(about, 'Warning', 'Failed', 'no');
    events.event(about, 'Warning', 'Failed', 'still no');
    await events.flush();
    expect(all()).toMatchObject([
      { message: 'no', count: 4, firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:00:05Z' },
      { message: 'still no', count: 1 },
    ]);
    expect(server.requests.map((request) => request.method)).toEqual(['POST', 'PATCH', 'POST']);
  });

  it('makes a new one when the server has thrown the old one away', async () => {
    const { events, all, server } = recorder();
    events.event(about, 'Normal', 'Running', 'x');
    await events.flush();
    for (const event of all()) server.history.delete('events', event);
    events.event(about, 'Normal', 'Running', 'x');
    await events.flush();
    expect(all()).toMatchObject([{ count: 1 }]);
  });

  it('logs what it cannot send, and goes on', async () => {
    const { events, all, server, lines } = recorder();
    server.intercept = () => status(403, 'Forbidden', 'events are forbidden');
    events.event(about, 'Normal', 'Running', 'x');
    await events.flush();
    server.intercept = () => undefined;
    expect(lines).toMatchObject([{ level: 'warn', error: 'events are forbidden' }]);
    events.event(about, 'Normal', 'Running', 'y');
    await events.flush();
    expect(all()).toHaveLength(1);
  });

  it('keeps to its bounds', async () => {
    const { events, all, lines } = recorder();
    events.event(about, 'Normal', 'R'.repeat(200), 'm'.repeat(2000));
    for (let at = 0; at < 1_500; at += 1) events.event(about, 'Normal', 'Running', String(at));
    await events.flush();
    expect(all()).toHaveLength(1_000);
    expect(all()[0]).toMatchObject({ reason: `${'R'.repeat(125)}...`, message: `${'m'.repeat(1021)}...` });
    expect(lines).toMatchObject([{ level: 'warn', count: 501 }]);
  });
});

describe('RecentMap', () => {
  it('keeps the newest, and none beyond its age', async () => {
    const { clock } = world();
    const map = new RecentMap<number>(clock, 2, 1_000);
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 3);
    map.set('c', 4);
    expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([3, undefined, 4, 2]);
    await clock.advance(1_000);
    expect(map.get('a')).toBeUndefined();
  });
});
