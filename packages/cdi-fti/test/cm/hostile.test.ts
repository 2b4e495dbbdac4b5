import { expect, test } from 'vitest';
import { attachOne, openCm, prepare, resume, start, strike, ticketFor, toAttach, toDetach } from '../support/cm.ts';

test.each(['..', '../../x', 'a/b', 'a?b', ''])('a machine named %j never stands in a URL', async (machine) => {
  const world = openCm();
  const device = await attachOne(world);
  const tickets = [await ticketFor(world, toAttach(world)), await ticketFor(world, toDetach(world, device))];
  const before = world.sent.length;
  for (const ticket of tickets) {
    const bent = { ...ticket, machine };
    expect(await start(world, bent)).toMatchObject({ tag: 'refused', failure: { kind: 'Rejected' } });
    expect(await resume(world, bent)).toMatchObject({ tag: 'inDoubt' });
  }
  expect(await prepare(world, toAttach(world, { machine }))).toMatchObject({ tag: 'failed' });
  expect(world.sent).toHaveLength(before);
});

test('what the fabric says is told in one clean line', async () => {
  const world = openCm();
  const reason = `no\n\u001b[31mpower ${'x'.repeat(5_000)}`;
  strike(world, 'attach', { tag: 'resizeFails', reason });
  const ticket = await ticketFor(world, toAttach(world));
  await start(world, ticket);
  const told = await resume(world, ticket);
  if (told.tag !== 'notDone') throw new Error(told.tag);
  expect(told.failure?.message).toMatch(/^an error occurred with the resource in CM: 'no \[31mpower x+/);
  expect(told.failure?.message).not.toMatch(/\p{Cc}/u);
  expect(told.failure?.message.length).toBeLessThan(2_000);
});
