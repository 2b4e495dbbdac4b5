import { virtualTime, type ContractWorld } from '@cro/cdi-core/testing';
import { MODEL, type Fabric } from './fabric.ts';

/** What the worlds of both managers have. */
type ContractParts = Pick<Fabric, 'clock' | 'sim' | 'host' | 'http' | 'machines' | 'machine' | 'restartOver'>;

const changing = ['attach', 'detach'] as const;

/** Either manager, as the contract suite plays with it. */
export function contractWorld({
  clock,
  sim,
  host,
  http,
  machines,
  machine,
  restartOver,
}: ContractParts): ContractWorld {
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
      for (const kind of changing) {
        sim.faults.add({ kind, effect: { tag: 'loseReply', when: 'afterChange' } });
      }
    },
    refuseNext: (message = 'refused by the test') => {
      const json = { status: 400, detail: { code: 'E020400', message, data: {} } };
      for (const kind of changing) {
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
      for (const kind of changing) {
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
