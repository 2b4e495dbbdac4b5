import assert from 'node:assert/strict';
import type { PrepareOutcome, Provider, ResumeOutcome, StartOutcome, Ticket } from '@cro/cdi-core';
import type { Peer } from '@cro/cdi-core/testing';
import { delay } from '@cro/clock';
import type { Applies } from './applies.ts';

/**
 * Plays what happens when somebody else uses the same layout-apply: an apply of theirs at work, one that is suspended, and a device that they take
 * between our choice and our connect. Everything is as it was afterwards.
 */
export async function playBesideOthers(peer: Peer, applies: Applies, tell: (line: string) => void): Promise<void> {
  const [ours, theirs = ''] = peer.machines;
  const device = subjectOf(await prepared(peer));
  const first = await applies.begin('connect', theirs, device);
  tell(`while an apply of theirs is at work: ${describe(await prepared(peer))}`);
  assert.equal(await applies.statusOf(first), 'COMPLETED', 'their connect');
  const { applyID, status } = await applies.carryOut('connect', ours, device);
  assert.equal(status, 'SUSPENDED', 'a connect of what is taken');
  const blocked = await prepared(peer);
  assert(blocked.tag === 'failed' && blocked.failure.kind === 'Blocked', `it is ${describe(blocked)}`);
  assert(blocked.failure.message.includes(applyID), 'the suspended apply is not named');
  assert.equal(await applies.statusOf(applyID), 'SUSPENDED', 'an apply of somebody else was touched');
  tell(`while an apply of theirs is suspended: ${describe(blocked)}`);
  await applies.cancel(applyID);
  await applies.carryOut('disconnect', theirs, device);
  await loseRace(peer, applies, tell);
}

/** They take the device that we have chosen: our apply is suspended, and canceled by us. */
async function loseRace(peer: Peer, applies: Applies, tell: (line: string) => void): Promise<void> {
  const [, theirs = ''] = peer.machines;
  const choice = await prepared(peer);
  const device = subjectOf(choice);
  assert(choice.tag === 'ticket');
  await applies.carryOut('connect', theirs, device);
  const ended = await toEnd(peer, choice.ticket);
  assert(ended.tag === 'refused' || ended.tag === 'notDone', `the lost race ended as ${JSON.stringify(ended)}`);
  tell(`a device that they took first: ${JSON.stringify(ended)}`);
  const { status } = await applies.carryOut('disconnect', theirs, device);
  assert.equal(status, 'COMPLETED', 'layout-apply is still blocked, or the device is not theirs');
}

async function prepared(peer: Peer): Promise<PrepareOutcome> {
  const provider = peer.open();
  const { type, model, machines } = peer;
  const request = { op: 'attach', holder: 'peer', type, model, machine: machines[0], claimed: [] } as const;
  return provider.prepare(request, boundsOf(provider, 'read'));
}

async function toEnd(peer: Peer, saved: Ticket): Promise<StartOutcome | ResumeOutcome> {
  const provider = peer.open();
  let ticket = saved;
  let outcome: StartOutcome | ResumeOutcome = await provider.start(ticket, boundsOf(provider, 'mutate'));
  while (outcome.tag === 'pending' || outcome.tag === 'inDoubt') {
    if (outcome.tag === 'pending') ticket = outcome.ticket ?? ticket;
    await delay(peer.clock, 1_000);
    outcome = await peer.open().resume(ticket, boundsOf(provider, 'read'));
  }
  return outcome;
}

function subjectOf(outcome: PrepareOutcome): string {
  assert(outcome.tag === 'ticket', `prepare answered ${JSON.stringify(outcome)}`);
  const { payload } = outcome.ticket;
  assert('cdiDeviceId' in payload, 'the ticket names no device');
  return String(payload.cdiDeviceId);
}

function describe(outcome: PrepareOutcome): string {
  return outcome.tag === 'failed' ? `${outcome.failure.kind}, ${outcome.failure.message}` : outcome.tag;
}

function boundsOf(provider: Provider, kind: 'read' | 'mutate') {
  return { signal: new AbortController().signal, timeoutMs: provider.timeouts[kind] };
}
