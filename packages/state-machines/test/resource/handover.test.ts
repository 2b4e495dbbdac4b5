import type { ComposableResourceStatus } from '@cro/crd-types';
import { describe, expect, test } from 'vitest';
import { handoverOf, resourceFacts, stepResource, resourceWords, type ResourceKnowledge } from '../../src/index.ts';
import { objectOf, ticketOf } from './object.ts';
import { newborn } from './world.ts';

const tagOf = (status: ComposableResourceStatus | undefined) => {
  const { status: _, ...object } = objectOf(newborn);
  return handoverOf(status === undefined ? object : { ...object, status }).tag;
};

describe('an object can be handed over', () => {
  test.each<[what: string, status: ComposableResourceStatus | undefined, tag: string]>([
    ['nobody has seen it', undefined, 'withoutDevice'],
    ['nothing was begun', { state: 'Attaching', observedGeneration: 1 }, 'withoutDevice'],
    ['it works', { state: 'Online', device_id: 'GPU-a', cdi_device_id: 'RES-a' }, 'withDevice'],
    ['attached, not visible', { state: 'Attaching', device_id: 'GPU-a', cdi_device_id: 'RES-a' }, 'withDevice'],
    ['not identified', { state: 'Attaching', cdi_device_id: 'RES-a', observedGeneration: 1 }, 'open'],
    ['left in doubt', { state: 'Attaching' }, 'open'],
    ['being attached', { state: 'Attaching', operation: ticketOf('attach') }, 'open'],
    ['being detached', { state: 'Detaching', device_id: 'GPU-a', operation: ticketOf('detach') }, 'open'],
  ])('%s: %o is %s', (_what, status, tag) => {
    expect(tagOf(status)).toBe(tag);
  });
});

describe('an operator that drains', () => {
  const draining: ResourceKnowledge = {
    node: 'ready',
    visible: 'absent',
    health: undefined,
    running: 'nothing',
    unstartedTicket: undefined,
    settled: false,
    draining: true,
  };
  const decide = (status: ComposableResourceStatus, known = draining) => {
    const object = { ...objectOf({ ...newborn, finalizer: true }), status };
    const facts = resourceFacts(object, status.state === 'Detaching' ? 'Detaching' : 'Attaching', known);
    return stepResource(facts, resourceWords(object, known));
  };

  test('begins no attach and no detach, and says why', () => {
    const message = 'Paused by the drain mode of the operator: nothing new is started.';
    for (const status of [
      { state: 'Attaching', observedGeneration: 1 },
      { state: 'Detaching', device_id: 'GPU-a', cdi_device_id: 'RES-a' },
    ]) {
      expect(decide(status)).toMatchObject({ row: 'paused', decision: { tag: 'wait', report: { message } } });
    }
  });
  test('finds out what became of a ticket', () => {
    const status = { state: 'Attaching', operation: ticketOf('attach'), observedGeneration: 1 };
    expect(decide(status).decision).toEqual({ tag: 'request', request: 'resume' });
  });
  test('finds out what became of a call of another operator', () => {
    expect(decide({ state: 'Attaching' }).row).toBe('perhaps a lost call');
    const settled = decide({ state: 'Attaching' }, { ...draining, settled: true });
    expect(settled.decision).toEqual({ tag: 'request', request: 'findUnowned' });
  });
});
