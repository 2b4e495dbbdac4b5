import { describe, expect, test } from 'vitest';
import { commandIdentity, commandVisibility, NodeLooks, type IdentityQuestion } from '../../src/index.ts';
import { modelNode } from './model-node.ts';

const { signal } = new AbortController();
const MODEL = 'NVIDIA-A100-PCIE-80GB';
const FIXED = { uuid: 'GPU-ffffffff-0000-0000-0000-00000000000f', serial: '99', model: MODEL, memoryMiB: 81_920 };

/** A node where a device plugin offers devices; the fabric has two GPUs that are not there yet. */
async function pluginNode() {
  const node = await modelNode({ driver: 'container', fixedGpus: [FIXED] }, 2, [0, 1]);
  const looks = new NodeLooks();
  const actions = node.actionsWith((run) => run(), 'looks', looks);
  const place = { tag: 'failed', failure: { kind: 'Busy', message: '' } } as const;
  const visibility = commandVisibility({ looks, cluster: { driverOf: () => place } });
  const identity = commandIdentity({ looks });
  const question = (hints: Readonly<Record<string, string>>): IdentityQuestion => {
    return { ...node.refTo(0), hints, before: identity.shownBy('worker-0'), taken: [] };
  };
  const seen = () => visibility.of('worker-0', node.refTo(0).deviceId);
  return { ...node, looks, actions, visibility, identity, question, seen };
}

describe('where a device plugin offers devices', () => {
  test('a device is visible once it was there as the plugin was made to look, and until it was without it', async () => {
    const { actions, seen, refTo, give, take, commands, published, visibility, drain, nodes } = await pluginNode();
    const changes: string[] = [];
    const stop = visibility.onChange((node, id) => changes.push(`${node} ${id}`));
    expect(seen()).toBe('unknown');
    expect(await actions.ensureDriver('worker-0', signal)).toEqual({ tag: 'done' });
    expect(await actions.refresh(refTo(0), 'visible', signal)).toEqual({ tag: 'done' });
    expect([seen(), published]).toEqual(['unknown', []]);
    give(0);
    const before = commands.length;
    expect(await actions.refresh(refTo(0), 'visible', signal)).toEqual({ tag: 'done' });
    expect(commands.length - before).toBe(1);
    expect([seen(), published.length]).toEqual(['visible', 1]);
    expect(changes).toContain(`worker-0 ${refTo(0).deviceId}`);
    expect(await drain(0)).toEqual({ tag: 'done' });
    take(0);
    expect(seen()).toBe('visible');
    expect(await actions.refresh(refTo(0), 'absent', signal)).toEqual({ tag: 'done' });
    expect([seen(), published.length]).toEqual(['absent', 2]);
    nodes.assertNoFaults();
    expect(changes.filter((one) => one.endsWith(refTo(0).deviceId))).toHaveLength(2);
    stop();
  });

  test('the one new GPU of its model is it, never one that is fixed in the node; it needs no refresh then', async () => {
    const { actions, question, give, refTo, seen, commands } = await pluginNode();
    await actions.ensureDriver('worker-0', signal);
    const asked = question({ model: MODEL });
    expect(await actions.identify(asked, signal)).toMatchObject({ tag: 'notYet' });
    give(0);
    expect(await actions.identify(asked, signal)).toEqual({ tag: 'identified', deviceId: refTo(0).deviceId });
    expect([seen(), commands.length]).toEqual(['visible', 3]);
  });

  test('two new ones cannot be told apart but by their serial numbers', async () => {
    const node = await pluginNode();
    await node.actions.ensureDriver('worker-0', signal);
    const asked = node.question({ model: MODEL });
    node.give(0);
    node.give(1);
    const outcome = await node.actions.identify(asked, signal);
    expect(outcome).toMatchObject({ tag: 'notYet', message: expect.stringContaining('2 new GPUs') as string });
    const serialNumber = node.host.gpus().find(({ uuid }) => uuid === node.refTo(0).deviceId)?.serial ?? '';
    expect(await node.actions.identify({ ...asked, hints: { serialNumber } }, signal)).toEqual({
      tag: 'identified',
      deviceId: node.refTo(0).deviceId,
    });
  });

  test('without a driver on the node nothing is shown', () => {
    const driverOf = () => ({ tag: 'noDriver', message: '' }) as const;
    const visibility = commandVisibility({ looks: new NodeLooks(), cluster: { driverOf } });
    expect(visibility.of('worker-0', FIXED.uuid)).toBe('absent');
  });
});

test('with DRA only a mark identifies: what slices showed before is no measure for a command', async () => {
  const { actions, refTo } = await modelNode({ driver: 'host', fixedGpus: [FIXED] }, 0);
  const asked = { ...refTo(0), hints: { model: MODEL }, before: [], taken: [] };
  expect(await actions.identify(asked, signal)).toMatchObject({ tag: 'notYet' });
  const bySerial = { ...asked, hints: { serialNumber: '99' } };
  expect(await actions.identify(bySerial, signal)).toEqual({ tag: 'identified', deviceId: FIXED.uuid });
  expect(await actions.identify({ ...bySerial, taken: [FIXED.uuid.toUpperCase()] }, signal)).toMatchObject({
    tag: 'notYet',
  });
});

test.each(['container', 'host'] as const)(
  'a node without od, or a PCI device without a serial number: the board’s decides (%s)',
  async (driver) => {
    const { actions, refTo, commands } = await modelNode({ driver, fixedGpus: [FIXED] }, 1);
    const hints = { serialNumber: '99', pcieSerialNumber: 'deadbeefbadcafe0' };
    const asked = { ...refTo(0), hints, before: undefined, taken: [] };
    expect(await actions.identify(asked, signal)).toEqual({ tag: 'identified', deviceId: FIXED.uuid });
    expect(commands).toHaveLength(1);
  },
);
