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
    [
      'does not hear that it is to stop',
      (good) => ({
        ...good,
        prepare: (request, context) => good.prepare(request, { ...context, signal: new AbortController().signal }),
      }),
      'prepare of an attach: an abort while a request is under way ends the call at once, and nothing more is sent',
    ],
    [
      'tells what it was told, word for word',
      (good) => ({
        ...good,
        prepare: async (request, context) => {
          const prepared = await good.prepare(request, context);
          if (prepared.tag !== 'failed') return prepared;
          return { tag: 'failed', failure: { ...prepared.failure, message: `no machine ${request.machine}` } };
        },
      }),
      'a machine or a device whose id is line breaks and colours reaches no path, and changes nothing',
    ],
    [
      'takes a failed read for an empty machine',
      (good) => ({
        ...good,
        prepare: async (request, context) => {
          const prepared = await good.prepare(request, context);
          return prepared.tag === 'failed' && request.op === 'detach' ? { tag: 'already' } : prepared;
        },
      }),
      'an answer that is a page of HTML, at each request of a detach: it ends as it would have',
    ],
    [
      'takes a lost answer for a refusal',
      (good) => ({
        ...good,
        start: async (ticket, context) => {
          const started = await good.start(ticket, context);
          return started.tag === 'inDoubt' ? { ...started, tag: 'refused' } : started;
        },
      }),
      'an answer that is lost, at each request of an attach: it ends as it would have',
    ],
  ])('%s', async (_, spoil, expected) => {
    expect(await failedBy(spoil)).toContain(expected);
  });
});
