import { contractSuite, virtualTime, type ContractWorld } from '@cro/cdi-core/testing';
import { afterAll, describe, test } from 'vitest';
import { MODEL, openFabric } from './support/fabric.ts';

function openWorld(): ContractWorld {
  const { clock, sim, host, http, machines, machine, restartOver } = openFabric();
  return {
    ...virtualTime(clock),
    http,
    restart: restartOver,
    machine,
    otherMachine: machines[1] ?? '',
    wanted: { type: 'gpu', model: MODEL },
    attached: (where) => sim.attachedTo(where).map(({ resUuid }) => resUuid),
    changes: () => sim.calls().attach + sim.calls().detach,
    loseNextAnswer: () => {
      for (const kind of ['attach', 'detach'] as const) {
        sim.faults.add({ kind, effect: { tag: 'loseReply', when: 'afterChange' } });
      }
    },
    refuseNext: (message = 'refused by the test') => {
      const json = { status: 400, detail: { code: 'E020400', message, data: {} } };
      for (const kind of ['attach', 'detach'] as const) {
        sim.faults.add({ kind, effect: { tag: 'answer', status: 400, body: { json }, when: 'beforeChange' } });
      }
    },
    exhaust: () => {
      for (const kind of ['attach', 'inventory'] as const) {
        sim.faults.add({ kind, times: Infinity, effect: { tag: 'exhausted' } });
      }
    },
    breakReads: (broken) => {
      const effect = { tag: 'answer', status: 500, body: { html: '<html>broken</html>' } } as const;
      sim.faults.add({ kind: 'get', machine: broken, times: Infinity, effect });
    },
    expireTokens: () => {
      sim.revokeTokens();
    },
    move: (id, where) => {
      sim.move(id, where);
    },
    busyNext: () => {
      const json = { status: 409, detail: { code: 'E020409', message: 'at work on another change', data: {} } };
      for (const kind of ['attach', 'detach'] as const) {
        sim.faults.add({ kind, effect: { tag: 'answer', status: 409, body: { json }, when: 'beforeChange' } });
      }
    },
    block: () => {
      const kept = host.secrets.get('credentials/password') ?? '';
      host.secrets.delete('credentials/password');
      return () => void host.secrets.set('credentials/password', kept);
    },
    secrets: [sim.credentials.password, sim.credentials.clientSecret],
    logged: () => host.logged,
  };
}

describe('contract of a provider', () => {
  const suite = contractSuite('cdi-fti, Fabric Manager', openWorld);
  test.each(suite.cases)('$name', ({ run }) => run());
  afterAll(() => {
    console.log(suite.report());
  });
});
