import assert from 'node:assert/strict';
import {
  loadProvider,
  type CallContext,
  type Http,
  type Provider,
  type ResumeOutcome,
  type StartOutcome,
  type Ticket,
} from '@cro/cdi-core';
import { fakeHost } from '@cro/cdi-core/testing';
import { sunfish } from '@cro/cdi-sunfish';
import { delay, systemClock } from '@cro/clock';

/** A server that the scenario is played on. */
export interface Peer {
  readonly endpoint: string;
  readonly type: 'gpu' | 'cxlmemory';
  readonly model: string;
}

/** One machine gets a device, another process finds it, and it goes back. Tells each step. */
export async function playOn({ endpoint, type, model }: Peer, http: Http, tell: (line: string) => void): Promise<void> {
  const memoryModels = type === 'cxlmemory' ? { [model]: { sizeMiB: 1024 } } : {};
  const open = () => {
    const loaded = loadProvider(sunfish, { endpoint, memoryModels });
    if (loaded.tag === 'failed') throw new Error(loaded.message);
    return loaded.create({ ...fakeHost({ clock: systemClock, http }), newId: () => crypto.randomUUID() });
  };
  const provider = open();
  const [machine = ''] = await machinesOf(endpoint, http);
  const before = await provider.inventory({ type, model, machine }, bounds(provider, 'read'));
  tell(`inventory of ${model} for ${machine}: ${JSON.stringify(before)}`);
  const request = { holder: 'peer', type, model, machine, claimed: [] } as const;
  const prepared = await provider.prepare({ op: 'attach', ...request }, bounds(provider, 'read'));
  assert(prepared.tag === 'ticket', `prepare answered ${JSON.stringify(prepared)}`);
  const attached = await toEnd(open, prepared.ticket, await start(provider, prepared.ticket), tell);
  assert(attached.tag === 'done' && attached.device !== undefined, `the attach ended as ${JSON.stringify(attached)}`);
  const { cdiDeviceId } = attached.device;
  tell(`attached ${cdiDeviceId}, health ${attached.device.health.level}`);
  const again = await open().resume(prepared.ticket, bounds(provider, 'read'));
  assert.equal(again.tag, 'done', 'another process does not find the device');
  const { devices, unreadable } = await open().list([machine], bounds(provider, 'read'));
  assert.deepEqual(unreadable, []);
  assert(devices.some((device) => device.cdiDeviceId === cdiDeviceId && device.model === model));
  const leaving = { op: 'detach', ...request, device: { cdiDeviceId } } as const;
  const detach = await provider.prepare(leaving, bounds(provider, 'read'));
  assert(detach.tag === 'ticket', `prepare of the detach answered ${JSON.stringify(detach)}`);
  const detached = await toEnd(open, detach.ticket, await start(provider, detach.ticket), tell);
  assert.deepEqual(detached, { tag: 'done' });
  assert.deepEqual(await provider.prepare(leaving, bounds(provider, 'read')), { tag: 'already' });
  assert.deepEqual(await provider.inventory({ type, model, machine }, bounds(provider, 'read')), before);
  tell('detached, and the inventory is what it was');
}

function start(provider: Provider, ticket: Ticket): Promise<StartOutcome> {
  return provider.start(ticket, bounds(provider, 'mutate'));
}

/** Resumes by a process of its own each time, as after a crash. */
async function toEnd(
  open: () => Provider,
  ticket: Ticket,
  first: StartOutcome,
  tell: (line: string) => void,
): Promise<StartOutcome | ResumeOutcome> {
  let outcome: StartOutcome | ResumeOutcome = first;
  let present = ticket;
  for (let look = 0; look < 30 && (outcome.tag === 'pending' || outcome.tag === 'inDoubt'); look += 1) {
    tell(JSON.stringify(outcome));
    if (outcome.tag === 'pending') present = outcome.ticket ?? present;
    await delay(systemClock, 1000);
    const provider = open();
    outcome = await provider.resume(present, bounds(provider, 'read'));
  }
  return outcome;
}

async function machinesOf(endpoint: string, http: Http): Promise<readonly string[]> {
  const response = await http.send(
    { method: 'GET', url: `${endpoint}/redfish/v1/Systems` },
    AbortSignal.timeout(10_000),
  );
  const { Members } = JSON.parse(response.body) as { Members: { '@odata.id': string }[] };
  return Members.map((member) => member['@odata.id'].split('/').at(-1) ?? '');
}

function bounds(provider: Provider, kind: 'read' | 'mutate'): CallContext {
  return { signal: new AbortController().signal, timeoutMs: provider.timeouts[kind] };
}
