import { atMost } from '../figure.ts';
import type { Bench } from './bench.ts';
import { thereAndBack } from './there-and-back.ts';

const fabric = 'instant fabric';

/** As many requests as a big cluster makes at once. */
export const burst: Bench = {
  name: 'burst',
  title: '250 requests of 2 at once there and back, instant fabric',
  run: (host) =>
    thereAndBack(host, {
      name: 'burst',
      requests: host.quick ? 4 : 250,
      size: 2,
      // The simulators of 250 nodes are one thread: with commands the figures would be theirs.
      world: { nodesAnswer: false },
      fabric,
      there: atMost(10),
      costs: { there: { apiWrites: atMost(6), tokens: atMost(1) } },
    }),
};

/** The same with commands on each node; in the time is what the models of 250 nodes need, which share a thread. */
export const burstOnNodes: Bench = {
  name: 'burst-on-nodes',
  title: 'the same with commands on 250 nodes',
  run: (host) =>
    thereAndBack(host, {
      name: 'burst-on-nodes',
      requests: host.quick ? 4 : 250,
      size: 2,
      fabric: 'commands on nodes, instant fabric',
    }),
};

/** What goes back must not wait for anything. */
export const giveBack: Bench = {
  name: 'give-back',
  title: '40 devices there and back, instant fabric',
  run: (host) =>
    thereAndBack(host, {
      name: 'give-back',
      requests: host.quick ? 2 : 10,
      size: 4,
      fabric,
      back: atMost(3),
      costs: { back: { apiWrites: atMost(8) } },
    }),
};
