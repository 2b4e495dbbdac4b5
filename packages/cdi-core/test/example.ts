import {
  byBaseline,
  byName,
  defineProvider,
  exactlyOnce,
  FabricId,
  isFabricId,
  jsonClient,
  wireDecoder,
} from '@cro/cdi-core';
import type { Answer, Asked, Failure, ListedDevice, ReadMachine } from '@cro/cdi-core';
import { Type, type Static } from 'typebox';

const Rack = Type.Object({ gpus: Type.Array(Type.Object({ id: FabricId, model: Type.String() })) });
const decode = wireDecoder(Rack);

/** A fabric with three calls: GET the GPUs of a rack, POST one more to it, DELETE this one from it. */
export default defineProvider<{ base: string }>({
  contract: 1,
  name: 'acme',
  configSchema: { type: 'object', required: ['base'], properties: { base: { type: 'string' } } },
  reads: [],
  create(host, { base }) {
    const client = jsonClient(host);
    const gpus = (machine: string) => `${base}/racks/${encodeURIComponent(machine)}/gpus`;
    const read: ReadMachine = async (machine, context) => {
      if (!isFabricId(machine)) return { tag: 'failed', failure: { kind: 'Rejected', message: 'this is no rack' } };
      const answer = await client.call({ what: 'get', method: 'GET', url: gpus(machine), decode }, context);
      return answer.tag === 'ok'
        ? { tag: 'devices', devices: devicesOf(machine, answer.value) }
        : { tag: 'failed', failure: failureOf(answer) };
    };
    const maker = { provider: 'acme', newId: host.newId };
    const attach = byBaseline(maker, {
      read,
      retryAfterMs: 1_000,
      async ask({ machine, model }, context) {
        const call = { what: 'add', method: 'POST', url: gpus(machine), body: { model }, decode } as const;
        return askedBy(machine, await client.call(call, context));
      },
    });
    const detach = byName(maker, {
      read,
      retryAfterMs: 1_000,
      async ask({ machine, cdiDeviceId }, context) {
        const url = `${gpus(machine)}/${encodeURIComponent(cdiDeviceId)}`;
        return askedBy(machine, await client.call({ what: 'remove', method: 'DELETE', url, decode }, context));
      },
    });
    return {
      name: 'acme',
      lane: 'machine',
      settleSeconds: 60,
      timeouts: { read: 10_000, mutate: 30_000 },
      locate: ({ name }) => Promise.resolve({ tag: 'machine', machine: name }),
      ...exactlyOnce(attach, detach),
      async list(machines, context) {
        const looks = machines.map(async (machine) => ({ machine, found: await read(machine, context) }));
        const all = await Promise.all(looks);
        return {
          devices: all.flatMap(({ found }) => (found.tag === 'devices' ? found.devices : [])),
          unreadable: all.flatMap(({ machine, found }) => (found.tag === 'failed' ? [{ machine, ...found }] : [])),
        };
      },
      inventory: () => Promise.resolve({ tag: 'unknown' }),
    };
  },
});

function devicesOf(machine: string, { gpus }: Static<typeof Rack>): ListedDevice[] {
  return gpus.map(({ id, model }) => ({ machine, type: 'gpu', model, cdiDeviceId: id, health: { level: 'ok' } }));
}

function failureOf(answer: Exclude<Answer<unknown>, { tag: 'ok' }>): Failure {
  if (answer.tag === 'noAnswer') return answer.failure;
  const kind = answer.status === 401 ? 'Unauthenticated' : answer.status >= 500 ? 'Unreachable' : 'Protocol';
  return { kind, message: `ACME answered with HTTP ${answer.status}` };
}

/** ACME answers 507 when no GPU is free, and promises that a 4xx has changed nothing. */
function askedBy(machine: string, answer: Answer<Static<typeof Rack>>): Asked {
  if (answer.tag === 'ok') return { tag: 'done', devices: devicesOf(machine, answer.value) };
  if (answer.tag === 'noAnswer') return { tag: answer.sent ? 'inDoubt' : 'refused', failure: answer.failure };
  const message = `ACME answered with HTTP ${answer.status}`;
  if (answer.status === 507) return { tag: 'refused', failure: { kind: 'Exhausted', message } };
  const promised = answer.tag === 'status' && answer.status >= 400 && answer.status < 500;
  if (promised) return { tag: 'refused', failure: { kind: 'Rejected', message } };
  return { tag: 'inDoubt', failure: { kind: 'InDoubt', message } };
}
