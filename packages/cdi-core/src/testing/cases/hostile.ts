import assert from 'node:assert/strict';
import { onOneFabric, type ContractCase } from '../suite/contract-case.ts';
import { attachRequest, contextOf, ticketFor } from '../suite/steps.ts';
import type { NamedFault } from './faults.ts';

/** Texts that try to get out of the place that they are put into. */
const hostileTexts: Readonly<Record<string, string>> = {
  'line breaks and colours': 'first\r\nlevel=error msg="forged"\u001b[31m\u0000',
  'marks that turn the direction of writing': '\u202egnp.exe\u2066\u200b',
  'a path that leads out': '../../../../etc/passwd?x=1#y',
  'quotes and shell words': '"\'`$(reboot)`; rm -rf / | {{ .Secret }}',
  'twenty thousand characters': 'long '.repeat(4_000),
};

/** Every place where a fabric may put its words. */
function inEveryFrame(text: string): unknown {
  return {
    status: 400,
    code: text,
    message: text,
    detail: { code: text, message: text, data: { text } },
    error: { code: text, message: text, '@Message.ExtendedInfo': [{ MessageId: text, Message: text }] },
    error_description: text,
  };
}

function spoilTexts(value: unknown, spoil: (text: string) => string): unknown {
  if (typeof value === 'string') return spoil(value);
  if (Array.isArray(value)) return value.map((item) => spoilTexts(item, spoil));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, spoilTexts(field, spoil)]));
}

const json = { 'content-type': 'application/json' };

const errors = Object.entries(hostileTexts).map(([name, text]): NamedFault => ({
  name: `an error with ${name}`,
  tag: 'answer',
  make: () => ({
    tag: 'answer',
    moment: 'before',
    make: () => ({ status: 500, headers: json, body: JSON.stringify(inEveryFrame(text)) }),
  }),
}));

const spoilt: Readonly<Record<string, (text: string) => string>> = {
  'line breaks in each text': (text) => `${text}\r\n\u001b[31m`,
  'a path that leads out for each text': (text) => `../../${text}`,
  'each text a hundred times too long': (text) => text.padEnd(5_000, 'x'),
};

const answers = Object.entries(spoilt).map(([name, spoil]): NamedFault => ({
  name: `an answer with ${name}`,
  tag: 'answer',
  make: () => ({
    tag: 'answer',
    moment: 'after',
    make: (_, real) => {
      if (real === undefined || real.body === '') return { status: 200, headers: json, body: '{}' };
      const parsed: unknown = JSON.parse(real.body);
      return { ...real, body: JSON.stringify(spoilTexts(parsed, spoil)) };
    },
  }),
}));

/** An error page that shows the request, as debugging proxies do: its headers and its body hold the secrets. */
const echo: NamedFault = {
  name: 'an error that shows the request with its secrets',
  tag: 'answer',
  make: () => ({
    tag: 'answer',
    moment: 'before',
    make: (request) => ({ status: 500, headers: json, body: JSON.stringify(inEveryFrame(JSON.stringify(request))) }),
  }),
};

/** What a fabric, or something before it, may say to get out of a log line or a path. */
export const hostileFaults: readonly NamedFault[] = [...errors, ...answers, echo];

/** Hostile words where no request goes wrong: in a refusal, and in the ids that the operator asks for. */
export const hostileCases: readonly ContractCase[] = [
  ...Object.entries(hostileTexts).map(([name, text]) =>
    onOneFabric(`a refusal with ${name} is told in one printable line`, async (stage) => {
      const provider = stage.restart();
      const ticket = await ticketFor(stage, provider, attachRequest(stage));
      stage.world.refuseNext(text);
      const outcome = await stage.world.settle(provider.start(ticket, contextOf(provider, 'mutate')));
      assert(outcome.tag === 'refused', `start answered ${outcome.tag}`);
      assert.notEqual(outcome.failure.message, '');
    }),
  ),
  ...Object.entries(hostileTexts).map(([name, text]) =>
    onOneFabric(`a machine or a device whose id is ${name} reaches no path, and changes nothing`, async (stage) => {
      const { world } = stage;
      const provider = stage.restart();
      const context = contextOf(provider, 'read');
      const attach = attachRequest(stage);
      const prepared = await world.settle(provider.prepare({ ...attach, machine: text }, context));
      assert.equal(prepared.tag, 'failed');
      const detach = { ...attach, op: 'detach', device: { cdiDeviceId: text } } as const;
      const left = await world.settle(provider.prepare(detach, context));
      assert.notEqual(left.tag, 'ticket');
      const { unreadable } = await world.settle(provider.list([text], context));
      assert.equal(unreadable.length, 1, 'a machine that cannot be is not told as unreadable');
      assert.equal(world.changes(), 0);
    }),
  ),
];
