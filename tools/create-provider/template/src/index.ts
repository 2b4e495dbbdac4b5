import { byBaseline, byName, defineProvider, exactlyOnce, isFabricId, jsonClient, secretToken } from '@cro/cdi-core';
import type { ReadMachine } from '@cro/cdi-core';
import { askedBy, listBy, readBy } from './answers.ts';
import { configSchema, machineOf, type Config } from './config.ts';
import { decodeMachine as decode } from './wire.ts';

const NAME = 'my-fabric';

/** A fabric with three calls: GET the devices of a machine, POST one more of a model to it, DELETE this one from it. */
export default defineProvider<Config>({
  contract: 1,
  name: NAME,
  configSchema,
  reads: [],
  create(host, config) {
    // Read at every call, so that a token that is replaced in its Secret is the one that the next call carries.
    const client = jsonClient(host, { tokens: secretToken(host.secret, config.token) });
    const devices = (machine: string) => `${config.endpoint}/machines/${encodeURIComponent(machine)}/devices`;
    const read: ReadMachine = async (machine, context) => {
      // What is no id must not get into a URL, a message or a log.
      if (!isFabricId(machine)) return { tag: 'failed', failure: { kind: 'Rejected', message: 'that is no machine' } };
      const call = { what: 'my-fabric get', method: 'GET', url: devices(machine), decode } as const;
      return readBy(machine, await client.call(call, context));
    };
    const maker = { provider: NAME, newId: host.newId };
    const attach = byBaseline(maker, {
      read,
      retryAfterMs: 1_000,
      async ask({ machine, model }, context) {
        const call = { what: 'my-fabric add', method: 'POST', url: devices(machine), body: { model }, decode } as const;
        return askedBy(machine, await client.call(call, context));
      },
    });
    const detach = byName(maker, {
      read,
      retryAfterMs: 1_000,
      async ask({ machine, cdiDeviceId }, context) {
        const url = `${devices(machine)}/${encodeURIComponent(cdiDeviceId)}`;
        const call = { what: 'my-fabric remove', method: 'DELETE', url, decode } as const;
        return askedBy(machine, await client.call(call, context));
      },
    });
    return {
      name: NAME,
      lane: 'machine',
      settleSeconds: 60,
      timeouts: { read: 10_000, mutate: 30_000 },
      locate({ name }) {
        const machine = machineOf(config, name);
        if (machine !== undefined) return Promise.resolve({ tag: 'machine', machine });
        return Promise.resolve({ tag: 'unmapped', message: `node '${name}' has no machine on the fabric` });
      },
      ...exactlyOnce(attach, detach),
      list: (machines, context) => listBy(machines, (machine) => read(machine, context)),
      inventory: () => Promise.resolve({ tag: 'unknown' }),
    };
  },
});
