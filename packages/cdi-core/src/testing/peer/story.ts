import assert from 'node:assert/strict';
import { delay } from '@cro/clock';
import type { ListedDevice } from '../../contract/listing.ts';
import type { AttachedDevice, AttachRequest, DetachRequest } from '../../contract/ticket.ts';
import { carryOut, type Ended } from './operation.ts';
import { boundsOf, type Peer } from './peer.ts';

/** How often what was done is looked for, and how long between two looks, in milliseconds. */
const MOST_LOOKS = 30;
const LOOK_MS = 1_000;

/** Names that no fabric knows. */
const UNKNOWN_MODEL = 'no-such-model';
const UNKNOWN_MACHINE = '00000000-dead-4000-8000-000000000000';

/**
 * Plays the life of devices on a real fabric manager, and leaves it as it was: attach with a lost answer, list, inventory, requests for
 * what is not there, an exhausted pool, a detach in another machine's name, and detaches. Tells each step. Rejects at the first one
 * that does not go as the contract says; what was attached by then is given back.
 */
export async function playOnPeer(peer: Peer, tell: (line: string) => void): Promise<void> {
  const held: AttachedDevice[] = [];
  try {
    await play(peer, held, tell);
  } catch (error) {
    for (const device of held) tell(`gives back ${device.cdiDeviceId}: ${await tried(peer, device)}`);
    throw error;
  }
}

async function play(peer: Peer, held: AttachedDevice[], tell: (line: string) => void): Promise<void> {
  const before = { free: await freeOn(peer), listed: await listOn(peer) };
  tell(`${before.free ?? 'an unknown number of'} ${peer.model} free, ${before.listed.length} attached`);
  const first = await attachOne(peer, held, true);
  tell(`attached ${first.cdiDeviceId} (health ${first.health.level}); the answer was lost, another process found it`);
  const listed = [...idsOf(before.listed), first.cdiDeviceId].sort();
  const looks = await comesTrue(peer, async () => {
    assert.deepEqual(idsOf(await listOn(peer)), listed, 'the listing does not show the device');
  });
  const shown = (await listOn(peer)).find(({ cdiDeviceId }) => cdiDeviceId === first.cdiDeviceId);
  assert.equal(shown?.model, peer.model, 'the listing does not show the model');
  if (before.free !== undefined) await isFree(peer, before.free - 1);
  tell(`the listing shows it at look ${looks}, the inventory went down by one`);
  await askForWhatIsNot(peer, tell);
  await emptyPool(peer, held, before.free, tell);
  await detachInVain(peer, first, tell);
  const count = held.length;
  for (let device = held.at(-1); device !== undefined; device = held.at(-1)) {
    assert.deepEqual(await carryOut(peer, leaving(peer, device)), { tag: 'done' });
    held.pop();
  }
  assert.deepEqual(await carryOut(peer, leaving(peer, first)), { tag: 'already' });
  await comesTrue(peer, async () => {
    assert.deepEqual(idsOf(await listOn(peer)), idsOf(before.listed), 'the listing is not what it was');
  });
  await isFree(peer, before.free);
  tell(`detached ${count}; a second detach finds nothing to do; listing and inventory are what they were`);
}

/** Tries to give a device back after a step went wrong: how that ends is told, as more may be wrong. */
async function tried(peer: Peer, device: AttachedDevice): Promise<string> {
  try {
    return JSON.stringify(await carryOut(peer, leaving(peer, device)));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function askForWhatIsNot(peer: Peer, tell: (line: string) => void): Promise<void> {
  const listed = idsOf(await listOn(peer));
  const model = await carryOut(peer, { ...coming(peer, listed), model: UNKNOWN_MODEL });
  tell(`an unknown model: ${told(model, ['Rejected', 'Exhausted'])}`);
  const machine = await carryOut(peer, { ...coming(peer, listed), machine: UNKNOWN_MACHINE });
  tell(`an unknown machine: ${told(machine, ['Rejected', 'Blocked'])}`);
  assert.deepEqual(idsOf(await listOn(peer)), listed, 'a request for what is not there changed something');
}

/** Attaches until nothing is left, if that is soon enough. */
async function emptyPool(
  peer: Peer,
  held: AttachedDevice[],
  free: number | undefined,
  tell: (line: string) => void,
): Promise<void> {
  if (free === undefined || free > (peer.most ?? 16)) {
    tell('the pool is not emptied: it is too large, or of unknown size');
    return;
  }
  while (held.length < free) await attachOne(peer, held);
  await isFree(peer, 0);
  const onceMore = await carryOut(peer, coming(peer, idsOf(held)));
  tell(`the pool is empty after ${free}: ${told(onceMore, ['Exhausted'])}`);
}

/** A device is not to be taken from a machine in another's name. */
async function detachInVain(peer: Peer, device: AttachedDevice, tell: (line: string) => void): Promise<void> {
  const [, machine] = peer.machines;
  if (machine === undefined) return;
  const ended = await carryOut(peer, { ...leaving(peer, device), machine });
  const listed = idsOf(await listOn(peer));
  assert(listed.includes(device.cdiDeviceId), 'a detach in the name of another machine took the device away');
  tell(`a detach in the name of another machine: ${ended.tag === 'failed' ? describe(ended) : ended.tag}`);
}

function isFree(peer: Peer, count: number | undefined): Promise<number> {
  return comesTrue(peer, async () => {
    assert.equal(await freeOn(peer), count, 'the inventory does not say how many are free');
  });
}

/** Looks until what was done is shown: what some managers show is a copy that lags. Answers how many looks it took. */
async function comesTrue(peer: Peer, check: () => Promise<void>): Promise<number> {
  for (let look = 1; look < MOST_LOOKS; look += 1) {
    try {
      await check();
      return look;
    } catch (error) {
      if (!(error instanceof assert.AssertionError)) throw error;
      await delay(peer.clock, LOOK_MS);
    }
  }
  await check();
  return MOST_LOOKS;
}

/** Attaches one more, and keeps it with those that are held. */
async function attachOne(peer: Peer, held: AttachedDevice[], lost = false): Promise<AttachedDevice> {
  const ended = await carryOut(peer, coming(peer, idsOf(held)), lost);
  assert(ended.tag === 'done' && ended.device !== undefined, `the attach ended as ${JSON.stringify(ended)}`);
  held.push(ended.device);
  return ended.device;
}

function coming({ type, model, machines: [machine] }: Peer, claimed: readonly string[]): AttachRequest {
  return { op: 'attach', holder: 'peer', type, model, machine, claimed };
}

function leaving({ type, model, machines: [machine] }: Peer, device: AttachedDevice): DetachRequest {
  const { cdiDeviceId, deviceId } = device;
  const ids = { cdiDeviceId, ...(deviceId === undefined ? {} : { deviceId }) };
  return { op: 'detach', holder: 'peer', type, model, machine, device: ids, claimed: [] };
}

async function listOn({ open, machines }: Peer): Promise<readonly ListedDevice[]> {
  const provider = open();
  const { devices, unreadable } = await provider.list(machines, boundsOf(provider, 'read'));
  assert.deepEqual(unreadable, [], 'a machine could not be read');
  return devices;
}

async function freeOn({ open, type, model, machines: [machine] }: Peer): Promise<number | undefined> {
  const provider = open();
  const answer = await provider.inventory({ type, model, machine }, boundsOf(provider, 'read'));
  return answer.tag === 'free' ? answer.count : undefined;
}

function told(ended: Ended, kinds: readonly string[]): string {
  assert(ended.tag === 'failed' && kinds.includes(ended.failure.kind), `it ended as ${JSON.stringify(ended)}`);
  return describe(ended);
}

function describe({ failure }: Extract<Ended, { tag: 'failed' }>): string {
  return `${failure.kind}, ${failure.message}`;
}

function idsOf(devices: readonly { readonly cdiDeviceId: string }[]): readonly string[] {
  return devices.map(({ cdiDeviceId }) => cdiDeviceId).sort();
}
