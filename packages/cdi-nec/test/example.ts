import { gotHttp, loadProvider, type CallContext } from '@cro/cdi-core';
import { fakeHost } from '@cro/cdi-core/testing';
import { cdim } from '@cro/cdi-nec';
import { delay, systemClock } from '@cro/clock';

/** Attaches one GPU to a machine, and waits until CDIM shows it there. */
export async function attachOne(config: unknown, machine: string, model: string) {
  const loaded = loadProvider(cdim, config);
  if (loaded.tag === 'failed') throw new Error(loaded.message);
  const http = gotHttp({ env: process.env });
  const provider = loaded.create(fakeHost({ clock: systemClock, http }));
  const bounds = (timeoutMs: number): CallContext => ({ signal: new AbortController().signal, timeoutMs });
  try {
    const request = { op: 'attach', holder: 'example', type: 'gpu', model, machine, claimed: [] } as const;
    const prepared = await provider.prepare(request, bounds(provider.timeouts.read));
    if (prepared.tag !== 'ticket') return prepared;
    // Keep the ticket where a crash cannot reach it before you go on, and each newer one that an answer brings.
    let { ticket } = prepared;
    let outcome = await provider.start(ticket, bounds(provider.timeouts.mutate));
    while (outcome.tag === 'pending') {
      ticket = outcome.ticket ?? ticket;
      await delay(systemClock, outcome.retryAfterMs);
      const looked = await provider.resume(ticket, bounds(provider.timeouts.read));
      if (looked.tag === 'notDone' || looked.tag === 'unchanged') return looked;
      outcome = looked;
    }
    return outcome;
  } finally {
    await http.close();
  }
}
