import { readFileSync } from 'node:fs';
import { defaultCredentials } from '@cro/fabric-sim';
import { expect, it, vi } from 'vitest';
import { attachOne } from './example.ts';

it('the example of the README is the one that runs here', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const example = readFileSync(new URL('example.ts', import.meta.url), 'utf8');
  expect(/```ts\n(.*?)```/su.exec(readme)?.[1]).toBe(example);
});

it('and it attaches one device', async () => {
  const told = vi.spyOn(console, 'log').mockReturnValue();
  const { realm, username, password, clientId, clientSecret } = defaultCredentials;
  const texts = { realm, username, password, client_id: clientId, client_secret: clientSecret };
  const data = Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'credentials', namespace: 'default' }, data };
  let ids = 0;
  const { status, calls, seconds } = await attachOne(secret, () => {
    ids += 1;
    return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
  });
  expect(status).toMatchObject({ state: 'Running', scalarResource: { size: 1 } });
  expect(calls).toMatchObject({ attach: 1, detach: 0, token: 1 });
  expect(seconds).toBeGreaterThanOrEqual(120);
  expect(told.mock.calls).toEqual([['Normal', 'Running', 'all 1 devices are online']]);
  told.mockRestore();
});
