import { contractSuite, virtualTime, type ContractWorld } from '@cro/cdi-core/testing';
import type { NecSimOptions } from '@cro/fabric-sim';
import { afterAll, describe, test } from 'vitest';
import type { NecConfig } from '@cro/cdi-nec';
import { BASE, MODEL, openCdim, TOKEN } from './support/cdim.ts';

const NEXT_TOKEN = 'the-bearer-token-after-it';

function openWorld(options: Partial<NecSimOptions>, config: Partial<NecConfig>): ContractWorld {
  const world = openCdim({ token: TOKEN, ...options }, config);
  const { clock, sim, host, http, machines, machine, restartOver } = world;
  const changing = ['attach', 'detach'] as const;
  return {
    ...virtualTime(clock),
    http,
    restart: restartOver,
    machine,
    otherMachine: machines[1] ?? '',
    wanted: { type: 'gpu', model: MODEL },
    listsAtOnce: true,
    attached: (where) => sim.attachedTo(where).map(({ resUuid }) => resUuid),
    changes: () => sim.calls().attach + sim.calls().detach,
    loseNextAnswer: () => {
      for (const kind of changing) sim.faults.add({ kind, effect: { tag: 'loseReply', when: 'afterChange' } });
    },
    refuseNext: (msg = 'refused by the test') => {
      const json = { code: 'E40001', message: [{ msg }] };
      for (const kind of changing) {
        sim.faults.add({ kind, effect: { tag: 'answer', status: 400, body: { json }, when: 'beforeChange' } });
      }
    },
    exhaust: () => void sim.faults.add({ kind: 'inventory', times: Infinity, effect: { tag: 'exhausted' } }),
    breakReads: () => {
      const effect = { tag: 'answer', status: 500, body: { html: '<html>broken</html>' } } as const;
      for (const kind of ['get', 'list', 'inventory'] as const) sim.faults.add({ kind, times: Infinity, effect });
    },
    expireTokens: () => {
      sim.setToken(NEXT_TOKEN);
      host.secrets.set('cdim/token', NEXT_TOKEN);
    },
    move: (id, where) => {
      sim.move(id, where);
    },
    busyNext: () => {
      const json = { code: 'E40010', message: 'another apply is in progress' };
      for (const kind of changing) {
        sim.faults.add({ kind, effect: { tag: 'answer', status: 409, body: { json }, when: 'beforeChange' } });
      }
    },
    block: () => {
      const json = { code: 'E40027', message: 'a suspended apply', status: 'SUSPENDED' };
      const effect = { tag: 'answer', status: 409, body: { json }, when: 'beforeChange' } as const;
      const armed = changing.map((kind) => sim.faults.add({ kind, times: Infinity, effect }));
      return () => {
        for (const one of armed) one.remove();
      };
    },
    secrets: [TOKEN, NEXT_TOKEN],
    logged: () => host.logged,
  };
}

const token = { name: 'cdim', key: 'token' };
const variants: readonly (readonly [string, Partial<NecSimOptions>, Partial<NecConfig>])[] = [
  ['open source', {}, { token }],
  ['open source, slow, with a view that lags', { attachMs: 4_000, detachMs: 3_000, viewLagMs: 20_000 }, { token }],
  ['product', { dialect: 'product' }, { token }],
  ['with hw-control, and a view that lags', { viewLagMs: 20_000 }, { token, hwControl: BASE }],
];

describe.each(variants)('contract of a provider: %s', (name, options, config) => {
  const suite = contractSuite(`cdi-nec, ${name}`, () => openWorld(options, config));
  test.each(suite.cases)('$name', ({ run }) => run());
  afterAll(() => {
    console.log(suite.report());
  });
});
