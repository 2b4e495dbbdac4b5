import { fakeHost, httpOver, virtualTime, type ContractWorld } from '@cro/cdi-core/testing';
import { VirtualClock } from '@cro/clock/testing';
import { Fabric, MODEL } from '../sim/fabric.ts';
import provider from '../src/index.ts';

export const TOKEN = 'token-of-my-fabric';
const NEXT_TOKEN = 'next-token-of-my-fabric';
export const config = { endpoint: 'https://fabric.test', token: { name: 'my-fabric', key: 'token' }, machines: {} };

/** The provider before a fresh fabric, and what the contract suite may do to that. */
export function openWorld(): ContractWorld {
  const fabric = new Fabric(['machine-1', 'machine-2'], TOKEN);
  const clock = new VirtualClock();
  const http = httpOver(config.endpoint, fabric);
  const host = fakeHost({ clock, http, secrets: { 'my-fabric/token': TOKEN } });
  return {
    ...virtualTime(clock),
    http,
    restart: (way = http) => provider.create({ ...host, http: way }, config),
    machine: 'machine-1',
    otherMachine: 'machine-2',
    wanted: { type: 'gpu', model: MODEL },
    attached: (machine) => fabric.on(machine).map(({ id }) => id),
    changes: () => fabric.changes,
    loseNextAnswer: () => void (fabric.next = 'lose'),
    refuseNext: (text = 'no') => void (fabric.next = { status: 400, text }),
    busyNext: () => void (fabric.next = { status: 409, text: 'busy' }),
    exhaust() {
      for (const { id, machine } of fabric.devices) if (machine === undefined) fabric.move(id, 'machine-of-others');
    },
    breakReads: (machine) => void fabric.broken.add(machine),
    move: (id, machine) => {
      fabric.move(id, machine);
    },
    block() {
      fabric.blocked = true;
      return () => void (fabric.blocked = false);
    },
    expireTokens() {
      fabric.token = NEXT_TOKEN;
      host.secrets.set('my-fabric/token', NEXT_TOKEN);
    },
    secrets: [TOKEN, NEXT_TOKEN],
    logged: () => host.logged,
  };
}
