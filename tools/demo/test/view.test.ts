import type { ComposableResource } from '@cro/crd-types';
import { VirtualClock } from '@cro/clock/testing';
import { describe, expect, test } from 'vitest';
import { deviceLine } from '../src/view/device-lines.ts';
import { LiveView } from '../src/view/live-view.ts';
import { plainView } from '../src/view/plain-view.ts';

function collecting() {
  const output = { text: '', columns: 60, write: (text: string) => void (output.text += text) };
  return output;
}

function resource(status: ComposableResource['status']): ComposableResource {
  return {
    apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1',
    kind: 'ComposableResource',
    metadata: { name: 'gpu-0a1b2c3d-0000-4000-8000-000000000000', uid: 'u', resourceVersion: '1' },
    spec: { type: 'gpu', model: 'A100', target_node: 'worker-0' },
    ...(status === undefined ? {} : { status }),
  };
}

const ready = (status: 'True' | 'False', message: string) => ({
  type: 'Ready',
  status,
  reason: 'Attaching',
  message,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

describe('a device line', () => {
  test('tells what the device waits for', () => {
    expect(deviceLine(resource(undefined))).toMatchObject({ name: 'gpu-0a1b2c3d', state: 'new', waitsFor: '' });
    const waiting = { state: 'Attaching', conditions: [ready('False', 'the fabric attaches it')] };
    expect(deviceLine(resource(waiting))).toMatchObject({ state: 'Attaching', waitsFor: 'the fabric attaches it' });
    expect(deviceLine(resource({ ...waiting, error: 'no token' }))).toMatchObject({ waitsFor: 'no token' });
    const online = { state: 'Online', device_id: 'GPU-1', conditions: [ready('True', 'fine')] };
    expect(deviceLine(resource(online))).toMatchObject({ device: 'GPU-1', waitsFor: '' });
  });
});

describe('plain output', () => {
  test('has one line for each change, with the seconds', async () => {
    const clock = new VirtualClock();
    const output = collecting();
    const view = plainView(clock, output);
    view.step('it begins');
    await clock.advance(1500);
    const line = deviceLine(resource({ state: 'Attaching' }));
    view.device('a', line);
    view.device('a', line);
    view.deviceGone('a');
    view.stepDone('it begins', 1.5);
    expect(output.text).toBe(
      [
        '   0.00 s  == it begins',
        '   1.50 s     gpu-0a1b2c3d  worker-0  Attaching',
        '   1.50 s     gpu-0a1b2c3d  gone',
        '   1.50 s  ok it begins: 1.50 s',
        '',
      ].join('\n'),
    );
  });
});

describe('live output', () => {
  test('counts the seconds of each device, never wider than the terminal', async () => {
    const clock = new VirtualClock();
    const terminal = collecting();
    const view = new LiveView(clock, terminal);
    view.step('a long title that goes on and on and on and on and on and on');
    view.device('a', deviceLine(resource({ state: 'Attaching', error: 'x'.repeat(200) })));
    terminal.text = '';
    await clock.advance(3000);
    // eslint-disable-next-line no-control-regex -- colours and cursor movements
    const lines = terminal.text.replace(/\u001b\[\d*[A-Zm]/gi, '').split('\n');
    expect(lines.at(-2)).toMatch(/gpu-0a1b2c3d +worker-0 +Attaching +3\.0 s {2}x+…$/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
    view.close();
    expect(clock.pending).toBe(0);
  });

  test('keeps what is over above the table, and draws the table again', () => {
    const clock = new VirtualClock();
    const terminal = collecting();
    const view = new LiveView(clock, terminal);
    view.device('a', deviceLine(resource({ state: 'Online' })));
    terminal.text = '';
    view.stepDone('first', 2);
    expect(terminal.text.startsWith('\u001b[1A\u001b[J')).toBe(true);
    expect(terminal.text.indexOf('first')).toBeLessThan(terminal.text.indexOf('gpu-0a1b2c3d'));
    view.deviceGone('a');
    expect(terminal.text.endsWith('\u001b[1A\u001b[J')).toBe(true);
    view.close();
  });
});
