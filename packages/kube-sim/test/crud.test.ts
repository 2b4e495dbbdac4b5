import { describe, expect, it } from 'vitest';
import { createBench, widget, WIDGETS } from './fixtures.ts';
import { stringAt } from '../src/base/json.ts';

describe('objects', () => {
  it('are created with the metadata that the server gives, and read back', async () => {
    const { ask } = createBench();
    const created = await ask('POST', WIDGETS, { ...widget('a'), status: { state: 'mine' } });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'a', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { size: 1, colour: 'red' },
    });
    expect(created.body).not.toHaveProperty('status');
    expect(stringAt(created.body, 'metadata', 'uid')).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u,
    );
    expect(Number(stringAt(created.body, 'metadata', 'resourceVersion'))).toBeGreaterThan(0);
    expect((await ask('GET', `${WIDGETS}/a`)).body).toEqual(created.body);
  });

  it('are refused twice under one name, and not found under another', async () => {
    const { ask } = createBench();
    await ask('POST', WIDGETS, widget('a'));
    const twice = await ask('POST', WIDGETS, widget('a'));
    expect(twice.body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'widgets.example.com "a" already exists',
      reason: 'AlreadyExists',
      details: { name: 'a', group: 'example.com', kind: 'widgets' },
      code: 409,
    });
    const missing = await ask('GET', `${WIDGETS}/b`);
    expect([missing.status, missing.body['message']]).toEqual([404, 'widgets.example.com "b" not found']);
  });
});
