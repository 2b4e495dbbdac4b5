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
