import { VirtualClock } from '@cro/clock/testing';
import { expect, test } from 'vitest';
import { accessTo, KubeClient, Permissions, watchAccess, type Access } from '../src/index.ts';
import { inProcessTransport } from '../src/testing.ts';

const widgets = { group: 'example.com', plural: 'widgets' };
const painting = watchAccess(widgets, { without: 'nothing is painted', need: 'required' });
const naming = accessTo(widgets, ['get', 'patch'], { without: 'no name is kept', need: 'optional', names: ['a', 'b'] });

interface Asked {
  readonly verb: string;
  readonly resource: string;
  readonly name?: string;
}

/** A server that answers reviews by `allows`, and anything else with `code`. */
function server(allows: (asked: Asked) => object) {
  const clock = new VirtualClock();
  const reviews: Asked[] = [];
  const transport = inProcessTransport((request) => {
    if (!request.path.endsWith('/selfsubjectaccessreviews')) {
      return Promise.resolve({ status: 403, headers: {}, body: '{}' });
    }
    const { spec } = JSON.parse(request.body ?? '') as { spec: { resourceAttributes: Asked } };
    reviews.push(spec.resourceAttributes);
    const body = { kind: 'SelfSubjectAccessReview', metadata: {}, status: allows(spec.resourceAttributes) };
    return Promise.resolve({ status: 201, headers: {}, body: JSON.stringify(body) });
  });
  const told: (readonly Access[])[] = [];
  const unknown: string[] = [];
  const end = new AbortController();
  const permissions = new Permissions({
    client: new KubeClient({ transport, clock, random: () => 0.5 }),
    clock,
    access: [painting, naming],
    onChange: (missing) => told.push(missing),
    onUnknown: (message) => unknown.push(message),
    signal: end.signal,
  });
  void permissions.run();
  const ask = (path: string) => permissions.listeningTo(transport).send({ method: 'GET', path }, end.signal);
  return { clock, reviews, told, unknown, permissions, ask };
}

test('a process that has everything asks once, and never again', async () => {
  const { clock, reviews, told } = server(() => ({ allowed: true }));
  await clock.advance(24 * 3_600_000);
  // Two verbs, and two verbs for each of two names.
  expect(reviews).toHaveLength(6);
  expect(told).toEqual([]);
});

test('what is missing is told once, by its verbs, and asked for each minute until it is granted', async () => {
  let granted = false;
  const { clock, reviews, told } = server(({ verb, name }) => ({
    allowed: granted || verb !== 'patch' || name !== 'b',
  }));
  await clock.advance(10_000);
  expect(told).toEqual([[{ ...naming, verbs: ['patch'] }]]);
  await clock.advance(600_000);
  expect(told).toHaveLength(1);
  expect(reviews.length).toBeLessThanOrEqual(6 + 11 * 4);
  granted = true;
  await clock.advance(60_000);
  expect(told.slice(1)).toEqual([[]]);
  const { length } = reviews;
  await clock.advance(600_000);
  expect(reviews).toHaveLength(length);
});

test('a refusal is a reason to ask, once a minute and once more to be sure', async () => {
  let granted = true;
  const { clock, reviews, told, ask } = server(() => ({ allowed: granted }));
  await clock.advance(120_000);
  granted = false;
  for (let second = 0; second < 120; second += 1) {
    await ask('/apis/example.com/v1/widgets');
    await clock.advance(1_000);
  }
  expect(told).toEqual([[painting]]);
  expect(reviews.length).toBeLessThanOrEqual(6 + 4 * 2);
});

test('an API server that has just started, and has not read the roles yet, is not believed', async () => {
  let hasRead = true;
  const { clock, reviews, told, permissions, ask } = server(() => ({ allowed: hasRead }));
  await clock.advance(120_000);
  hasRead = false;
  await ask('/apis/example.com/v1/widgets');
  await clock.advance(5_000);
  expect(reviews.length).toBeGreaterThan(6);
  hasRead = true;
  await clock.advance(300_000);
  expect(told).toEqual([]);
  expect(permissions.missing).toEqual([]);
});

test('an answer that is in doubt is none', async () => {
  const { clock, told, unknown, permissions } = server(() => ({
    allowed: false,
    evaluationError: 'roles are not read',
  }));
  await clock.advance(300_000);
  expect(told).toEqual([]);
  expect(permissions.missing).toEqual([]);
  expect(unknown).toEqual(['roles are not read']);
});
