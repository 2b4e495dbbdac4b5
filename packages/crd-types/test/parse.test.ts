import { describe, expect, test } from 'vitest';
import { parseComposabilityRequest, parseComposableResource } from '../src/index.ts';
import { request, resource } from './objects.ts';

function complaint(parse: (value: unknown) => { tag: string; message?: string }, value: unknown): string {
  const result = parse(value);
  expect(result.tag).toBe('malformed');
  return result.message ?? '';
}

describe('ComposabilityRequest', () => {
  test('answers the very object when it is right', () => {
    const object = request();
    expect(parseComposabilityRequest(object)).toStrictEqual({ tag: 'ok', object });
  });

  test('lets fields pass that it does not know', () => {
    const object = request({ future: 1 }, { status: { state: 'Running', future: [] } });
    expect(parseComposabilityRequest(object)).toStrictEqual({ tag: 'ok', object });
  });

  test.each([
    [request({ type: 'fpga' }), 'spec.resource.type: found "fpga", accepted: "gpu", "cxlmemory"'],
    [request({ size: -1 }), 'spec.resource.size: found -1, accepted: integer >= 0'],
    [request({ size: '2' }), 'spec.resource.size: found "2", accepted: integer >= 0'],
    [request({ model: '' }), 'spec.resource.model: found "", accepted: string with at least 1 characters'],
    [
      request({ allocation_policy: 'x' }),
      'spec.resource.allocation_policy: found "x", accepted: "samenode", "differentnode"',
    ],
    [request({ other_spec: { memory: 1.5 } }), 'spec.resource.other_spec.memory: found 1.5, accepted: integer >= 0'],
    [request({}, { spec: undefined }), 'spec: found nothing, accepted: object'],
    [request({}, { kind: 'Pod' }), 'kind: found "Pod", accepted: "ComposabilityRequest"'],
    [request({}, { status: {} }), 'status.state: found nothing, accepted: string'],
    [
      request({}, { status: { state: '', resources: { 'gpu-1.a': {} } } }),
      'status.resources["gpu-1.a"].state: found nothing, accepted: string',
    ],
    [null, 'the object: found null, accepted: object'],
    [[], 'the object: found [], accepted: object'],
  ])('says where it is wrong: case %#', (value, message) => {
    expect(complaint(parseComposabilityRequest, JSON.parse(JSON.stringify(value)))).toBe(message);
  });

  test('quotes no more than a line of a large value', () => {
    expect(complaint(parseComposabilityRequest, request({ size: 'x'.repeat(10_000) }))).toBe(
      'spec.resource.size: found a string of 10000 characters, accepted: integer >= 0',
    );
  });
});

describe('ComposableResource', () => {
  const operation = {
    id: 'op-1',
    op: 'attach',
    provider: 'fti-fm',
    version: 1,
    machine: 'm-0',
    holder: 'u',
    phase: 'open',
    payload: { baseline: ['a'] },
  };

  test('takes every part of a status', () => {
    const object = resource({
      state: 'Attaching',
      error: '',
      device_id: 'GPU-1',
      cdi_device_id: 'res-1',
      observedGeneration: 1,
      fabric: { provider: 'fti-fm', machine: 'm-0' },
      operation,
      conditions: [
        { type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T00:00:00Z', reason: 'Busy', message: '' },
      ],
    });
    expect(parseComposableResource(object)).toStrictEqual({ tag: 'ok', object });
  });

  test('names the place in a ticket that is wrong', () => {
    expect(
      complaint(parseComposableResource, resource({ state: '', operation: { ...operation, phase: 'done' } })),
    ).toBe('status.operation.phase: found "done", accepted: "open", "attached"');
    expect(
      complaint(parseComposableResource, resource({ state: '', conditions: [{ type: 'Ready', status: 'True' }] })),
    ).toMatch(/^status\.conditions\[0\]\.lastTransitionTime: found nothing, accepted: string/);
  });
});
