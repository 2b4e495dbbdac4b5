import { atMost } from '../figure.ts';
import type { Bench } from './bench.ts';
import { thereAndBack } from './there-and-back.ts';

const SIZE = 4;

/** A slow fabric: machines have to go on side by side, while each does one thing after the other. */
export const machines: Bench = {
  name: 'machines',
  title: '64 devices on 16 machines there and back, fabric 2 s an attach and 1 s a detach',
  run(host) {
    const [attachMs, detachMs] = host.quick ? [100, 50] : [2000, 1000];
    return thereAndBack(host, {
      name: 'machines',
      requests: host.quick ? 2 : 16,
      size: SIZE,
      world: { attachMs, detachMs },
      fabric: `fabric ${attachMs / 1000} s an attach, ${detachMs / 1000} s a detach`,
      there: atMost((SIZE * attachMs) / 1000 + 1),
      back: atMost((SIZE * detachMs) / 1000 + 2),
    });
  },
};
