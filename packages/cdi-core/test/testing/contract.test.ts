import { readFile } from 'node:fs/promises';
import type { Provider, Ticket } from '@cro/cdi-core';
import { contractSuite } from '@cro/cdi-core/testing';
import { afterAll, describe, expect, test } from 'vitest';
import acme from '../example.ts';
import { acmeWorld } from '../support/acme-world.ts';

test('the example of the README is the one that is tested', async () => {
  const [readme, example] = await Promise.all(['README.md', 'test/example.ts'].map((file) => readFile(file, 'utf8')));
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
});

describe("the README's example passes the contract suite", () => {
  const suite = contractSuite('acme', () => acmeWorld(acme));
  test.each(suite.cases)('$name', ({ run }) => run());
  afterAll(() => {
    console.log(suite.report());
  });
});

/** The names of the cases that a spoiled provider fails. */
async function failedBy(spoil: (provider: Provider) => Provider): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of contractSuite('spoiled', () => acmeWorld(acme, spoil)).cases) {
    await run().catch(() => void failed.push(name));
  }
  return failed;
}

const withPayload = (ticket: Ticket, more: Record<string, unknown>): Ticket => ({
  ...ticket,
  payload: { ...ticket.payload, ...more },
});

describe('the contract suite notices a provider that', () => {
  test.each<[string, (provider: Provider) => Provider, string]>([
    [
      'asks again when an answer was lost',
      (good) => ({
        ...good,
        start: async (ticket, context) => {
          const first = await good.start(ticket, context);
          return first.tag === 'inDoubt' ? good.start(ticket, context) : first;
        },
      }),
      'a lost answer to an attach is in doubt, and another process finds the device',
    ],
    [
      'changes something in prepare',
      (good) => ({
        ...good,
        prepare: async (request, context) => {
          const prepared = await good.prepare(request, context);
          if (prepared.tag === 'ticket') await good.start(prepared.ticket, context);
          return prepared;
        },
      }),
      'prepare changes nothing on the fabric',
    ],
    [
      'forgets what was there before',
      (good) => ({
        ...good,
        resume: (ticket, context) => good.resume(withPayload(ticket, { baseline: [] }), context),
      }),
      'a device that was there before is not taken for the new one',
    ],
    [
      'keeps a secret in the ticket',
      (good) => ({
        ...good,
        prepare: async (request, context) => {
          const prepared = await good.prepare(request, context);
          if (prepared.tag !== 'ticket') return prepared;
          return { tag: 'ticket', ticket: withPayload(prepared.ticket, { note: 'acme-password' }) };
        },
      }),
      'prepare changes nothing on the fabric',
    ],
    [
      'throws on a damaged ticket',
      (good) => ({
        ...good,
        start: (ticket, context) => {
          if (ticket.payload['type'] !== 'gpu') throw new TypeError('payload.type');
          return good.start(ticket, context);
        },
      }),
      'a ticket with an empty payload is in doubt, and nothing is asked of the fabric',
    ],
    [
      'hides the machines that it could not read',
      (good) => ({
        ...good,
        list: async (machines, context) => ({ ...(await good.list(machines, context)), unreadable: [] }),
      }),
      'a machine that cannot be read is named, and hides no other',
    ],
  ])('%s', async (_, spoil, expected) => {
    expect(await failedBy(spoil)).toContain(expected);
  });
});
