import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gotHttp, type Listing, type Provider } from '@cro/cdi-core';
import { atMost, exactly, Figures, type Figure } from '../figure.ts';
import { counted } from '../listing/counted.ts';
import { FABRICS, type FabricKind, type ListedFabric, type Size } from '../listing/fabrics.ts';
import type { BenchHost } from '../scene/host.ts';
import type { Bench } from './bench.ts';

/** How many machines a provider reads at once unless it is told otherwise. */
const AT_ONCE = 8;
/** Milliseconds that a machine which never answers may hold up the news of the others. */
const HELD_UP_MS = 5_000;

/** What the sweep of each minute asks: every device of every machine. */
export const list: Bench = {
  name: 'list',
  title: 'a full listing of 1,000 machines with 10,000 devices, on each fabric; then with a machine that never answers',
  async run(host) {
    const size: Size = host.quick ? { machines: 20, devices: 100 } : { machines: 1_000, devices: 10_000 };
    const figures: Figure[] = [];
    for (const kind of FABRICS) {
      if (host.interrupted.aborted) break;
      figures.push(...(await listed(kind, size, host)));
    }
    return figures;
  },
};

async function listed(kind: FabricKind, size: Size, host: BenchHost): Promise<readonly Figure[]> {
  const fabric = await kind.start(size);
  const directory = await mkdtemp(join(tmpdir(), 'cro-bench-list-'));
  const sockets = gotHttp({ env: {} });
  try {
    const caFile = join(directory, 'ca.pem');
    await writeFile(caFile, fabric.caPem);
    const { http, take } = counted(sockets);
    const provider = fabric.create(host.clock, http, caFile);
    return await measured(kind, size, { fabric, provider, take, host });
  } finally {
    await sockets.close();
    await fabric.close();
    await rm(directory, { recursive: true });
  }
}

interface Scene {
  readonly fabric: ListedFabric;
  readonly provider: Provider;
  readonly take: ReturnType<typeof counted>['take'];
  readonly host: BenchHost;
}

async function measured(kind: FabricKind, size: Size, scene: Scene): Promise<readonly Figure[]> {
  const { take, host } = scene;
  const work = `${kind.name}: list of ${size.machines} machines with ${size.devices} devices`;
  host.say(work);
  const figures = new Figures(work);
  const most = kind.calls === 'one' ? 1 : size.machines;
  const first = await listOnce(scene);
  figures.add('calls, the first time', take().calls, 'count');
  figures.add('time, the first time', first.ms, 'ms');
  const { listing, ms } = await listOnce(scene);
  const { calls, atOnce, bytes } = take();
  figures.add('devices listed', listing.devices.length, 'count', exactly(size.devices));
  figures.add('calls', calls, 'count', atMost(most));
  figures.add('calls at once', atOnce, 'count', atMost(AT_ONCE));
  figures.add('answers', bytes / 2 ** 20, 'MiB');
  figures.add('time', ms, 'ms');
  if (kind.calls === 'perMachine') await withSilent(figures, size, scene, ms);
  return figures.all;
}

/** One machine never answers, one always fails: the others are listed all the same, and soon. */
async function withSilent(figures: Figures, { machines, devices }: Size, scene: Scene, usualMs: number): Promise<void> {
  const { fabric, take } = scene;
  const [silent = '', broken = ''] = fabric.machines;
  fabric.faults.add({ kind: 'get', machine: silent, times: Infinity, effect: { tag: 'hang' } });
  const failing = { tag: 'answer', status: 500, body: { html: 'broken' } } as const;
  fabric.faults.add({ kind: 'get', machine: broken, times: Infinity, effect: failing });
  const { listing, ms } = await listOnce(scene);
  take();
  const expected = devices - (2 * devices) / machines;
  figures.add('devices listed, one machine silent, one failing', listing.devices.length, 'count', exactly(expected));
  figures.add('machines named as unreadable', listing.unreadable.length, 'count', exactly(2));
  const limit = Math.max(HELD_UP_MS, usualMs * 2) + usualMs * 2;
  figures.add('time, one machine silent, one failing', ms, 'ms', atMost(Math.round(limit)));
}

async function listOnce({
  fabric,
  provider,
  host,
}: Scene): Promise<{ readonly listing: Listing; readonly ms: number }> {
  const from = host.clock.monotonic();
  const context = { signal: host.interrupted, timeoutMs: provider.timeouts.read * 2 };
  const listing = await provider.list(fabric.machines, context);
  return { listing, ms: host.clock.monotonic() - from };
}
