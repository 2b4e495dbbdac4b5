import { VirtualClock } from '@cro/clock/testing';
import { KubeClient, watchKind, type WatchOptions } from '../../src/index.ts';
import { inProcessTransport } from '../../src/testing.ts';
import { seeded } from './random.ts';
import { TinyServer } from './tiny-server.ts';
import { widgets, type Widget } from './widget.ts';

/** A server, a client and a virtual clock. */
export function world() {
  const clock = new VirtualClock();
  const server = new TinyServer();
  const transport = inProcessTransport(server.handle);
  const random = seeded(1);
  const client = new KubeClient({ transport, clock, random });
  const stop = new AbortController();
  const watch = (options: Partial<WatchOptions<Widget>> = {}) =>
    watchKind(widgets, { client, transport, clock, random, signal: stop.signal, ...options });
  return { clock, server, transport, client, stop, random, watch };
}
