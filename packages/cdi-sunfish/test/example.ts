import { gotHttp, loadProvider, type CallContext } from '@cro/cdi-core';
import { fakeHost } from '@cro/cdi-core/testing';
import { sunfish } from '@cro/cdi-sunfish';
import { systemClock } from '@cro/clock';

/** Attaches one GPU to a machine: the Id of its ComputerSystem. */
export async function attachOne(config: unknown, machine: string, model: string) {
  const loaded = loadProvider(sunfish, config);
  if (loaded.tag === 'failed') throw new Error(loaded.message);
  const http = gotHttp({ env: process.env });
  const provider = loaded.create(fakeHost({ clock: systemClock, http }));
  const bounds = (timeoutMs: number): CallContext => ({ signal: new AbortController().signal, timeoutMs });
  try {
    const request = { op: 'attach', holder: 'example', type: 'gpu', model, machine, claimed: [] } as const;
    const prepared = await provider.prepare(request, bounds(provider.timeouts.read));
    if (prepared.tag !== 'ticket') return prepared;
    // Keep the ticket where a crash cannot reach it before you go on: `resume` needs it.
    return await provider.start(prepared.ticket, bounds(provider.timeouts.mutate));
  } finally {
    await http.close();
  }
}
