import { contractSuite, virtualTime, type ContractWorld } from '@cro/cdi-core/testing';
import { afterAll, describe, test } from 'vitest';
import { MEMORY_MODEL, MODEL, openRedfish, openSunfish, type AnySim, type Fabric } from './support/fabric.ts';

type Open = () => Fabric<AnySim> & { readonly resync?: () => void; readonly endSessions?: () => void };

const memoryModels = { [MEMORY_MODEL]: { sizeMiB: 2048 } };

/** Every way in which a device is attached, on every kind of service. */
const services: Readonly<Record<string, { readonly open: Open; readonly type?: 'gpu' | 'cxlmemory' }>> = {
  'Redfish, PATCH of blocks, expanded reads': { open: () => openRedfish() },
  'Redfish, PATCH of blocks, with sessions': { open: withSessions },
  'Redfish, PATCH of blocks, one read each': { open: () => openRedfish({ expand: false, etags: 'required' }) },
  'Redfish, blocks that always say Unused': { open: () => openRedfish({ blockState: 'stuck', etags: 'none' }) },
  'Redfish, actions': { open: () => openRedfish({ composeBy: 'action' }) },
  'Redfish, tasks': { open: () => openRedfish({ asynchronous: true, attachMs: 5_000, detachMs: 3_000 }) },
  'Redfish, connections': { open: () => openRedfish({ composeBy: 'connections' }) },
  'Redfish, connections by tasks': {
    open: () => openRedfish({ composeBy: 'connections', asynchronous: true, attachMs: 5_000, detachMs: 3_000 }),
  },
  'Redfish, CXL memory': { open: () => openRedfish({}, { memoryModels }), type: 'cxlmemory' },
  'Sunfish, PATCH of blocks': { open: () => withResync(openSunfish()) },
  'Sunfish, PATCH of blocks, with aliases': { open: () => withResync(openSunfish({ aliases: 'own' })) },
  'Sunfish, connections': { open: () => withResync(openSunfish({ composeBy: 'connections' })) },
  'Sunfish, CXL memory': { open: () => withResync(openSunfish({}, { memoryModels })), type: 'cxlmemory' },
};

const PASSWORD = 'redfish-password';

function withSessions() {
  const credentials = { username: { name: 'bmc', key: 'username' }, password: { name: 'bmc', key: 'password' } };
  const secrets = { 'bmc/username': 'operator', 'bmc/password': PASSWORD };
  const fabric = openRedfish(
    { credentials: { username: 'operator', password: PASSWORD } },
    { auth: 'session', credentials },
    secrets,
  );
  const endSessions = () => {
    fabric.sim.restart();
  };
  return { ...fabric, endSessions };
}

function withResync(fabric: ReturnType<typeof openSunfish>) {
  return {
    ...fabric,
    resync: () => {
      fabric.sim.resync();
    },
  };
}

function openWorld(open: Open, type: 'gpu' | 'cxlmemory', movesBlocks: boolean): ContractWorld {
  const { clock, sim, host, http, machines, machine, restartOver, resync, endSessions } = open();
  const change = (effect: Parameters<typeof sim.faults.add>[0]['effect']) => {
    for (const kind of ['attach', 'detach'] as const) sim.faults.add({ kind, effect });
  };
  const move = (id: string, where: string | undefined) => {
    sim.move(id, where);
    resync?.();
  };
  return {
    ...virtualTime(clock),
    http,
    restart: restartOver,
    machine,
    otherMachine: machines[1] ?? '',
    wanted: { type, model: type === 'gpu' ? MODEL : MEMORY_MODEL },
    attached: (where) =>
      sim
        .attachedTo(where)
        .filter((device) => device.type === type)
        .map(({ resUuid }) => resUuid),
    // A piece of memory is cut and connected: the connection is what counts.
    changes: () =>
      sim
        .callLog()
        .filter(({ kind, path }) => (kind === 'attach' || kind === 'detach') && !path.includes('MemoryChunks')).length,
    loseNextAnswer: () => {
      change({ tag: 'loseReply', when: 'afterChange' });
    },
    refuseNext: (html = 'refused by the test') => {
      change({ tag: 'answer', status: 400, body: { html }, when: 'beforeChange' });
    },
    exhaust: () => {
      for (const id of sim.snapshot().free) sim.move(id, machines[2]);
      sim.memory.cut({ domain: '1', id: 'by-hand', sizeMiB: 16_384, body: {} });
      resync?.();
    },
    breakReads: (broken) => {
      const effect = { tag: 'answer', status: 500, body: { html: '<html>broken</html>' } } as const;
      sim.faults.add({ kind: 'get', machine: broken, times: Infinity, effect });
    },
    ...(movesBlocks ? { move } : {}),
    ...(endSessions === undefined ? {} : { expireTokens: endSessions, block: () => withoutPassword(host.secrets) }),
    busyNext: () => {
      const error = { code: 'Base.1.18.ServiceTemporarilyUnavailable', message: 'at work on something else' };
      change({ tag: 'answer', status: 503, body: { json: { error } }, when: 'beforeChange' });
    },
    cannot: {
      move: 'a connection belongs to who made it, and cannot be moved',
      expireTokens: 'this service lets everybody in; the one with sessions shows it',
      block: 'nothing on a Redfish service waits for a person',
    },
    secrets: [PASSWORD],
    logged: () => host.logged,
  };
}

function withoutPassword(secrets: Map<string, string>): () => void {
  secrets.delete('bmc/password');
  return () => void secrets.set('bmc/password', PASSWORD);
}

describe.each(Object.entries(services))('contract of a provider: %s', (name, { open, type = 'gpu' }) => {
  const movesBlocks = type === 'gpu' && !name.includes('connections');
  const suite = contractSuite(`cdi-sunfish, ${name}`, () => openWorld(open, type, movesBlocks));
  test.each(suite.cases)('$name', ({ run }) => run());
  afterAll(() => {
    console.log(suite.report());
  });
});
