import { contractCases, type ContractWorld } from '@cro/cdi-core/testing';
import type { NecSimOptions } from '@cro/fabric-sim';
import { describe, test } from 'vitest';
import type { NecConfig } from '@cro/cdi-nec';
import { BASE, MODEL, openCdim, TOKEN } from './support/cdim.ts';

function openWorld(options: Partial<NecSimOptions>, config: Partial<NecConfig>): ContractWorld {
  const { clock, sim, host, machines, machine, restart, settle } = openCdim({ token: TOKEN, ...options }, config);
  const changing = ['attach', 'detach'] as const;
  return {
    restart,
    machine,
    otherMachine: machines[1] ?? '',
    wanted: { type: 'gpu', model: MODEL },
    listsAtOnce: true,
    attached: (where) => sim.attachedTo(where).map(({ resUuid }) => resUuid),
    changes: () => sim.calls().attach + sim.calls().detach,
    loseNextAnswer: () => {
      for (const kind of changing) sim.faults.add({ kind, effect: { tag: 'loseReply', when: 'afterChange' } });
    },
    refuseNext: () => {
      const json = { code: 'E40001', message: [{ msg: 'refused by the test' }] };
      for (const kind of changing) {
        sim.faults.add({ kind, effect: { tag: 'answer', status: 400, body: { json }, when: 'beforeChange' } });
      }
    },
    exhaust: () => void sim.faults.add({ kind: 'inventory', times: Infinity, effect: { tag: 'exhausted' } }),
    breakReads: () => {
      const effect = { tag: 'answer', status: 500, body: { html: '<html>broken</html>' } } as const;
      for (const kind of ['get', 'list', 'inventory'] as const) sim.faults.add({ kind, times: Infinity, effect });
    },
    settle,
    wait: (ms) => clock.advance(ms),
    secrets: [TOKEN],
    logged: () => JSON.stringify(host.logged),
  };
}

const token = { name: 'cdim', key: 'token' };
const variants: readonly (readonly [string, Partial<NecSimOptions>, Partial<NecConfig>])[] = [
  ['open source', {}, { token }],
  ['open source, slow, with a view that lags', { attachMs: 4_000, detachMs: 3_000, viewLagMs: 90_000 }, { token }],
  ['product', { dialect: 'product' }, { token }],
  ['with hw-control, and a view that lags', { viewLagMs: 90_000 }, { token, hwControl: BASE }],
];

describe.each(variants)('contract of a provider: %s', (_, options, config) => {
  test.each(contractCases)('$name', async ({ run }) => {
    await run(openWorld(options, config));
  });
});
