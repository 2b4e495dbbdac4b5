import assert from 'node:assert/strict';
import { delay } from '@cro/clock';
import type { Failure } from '@cro/crd-types';
import type { AttachedDevice, PrepareRequest, ResumeOutcome, StartOutcome, Ticket } from '../../contract/ticket.ts';
import { boundsOf, type Peer } from './peer.ts';

/** How an operation ended: well, or with nothing changed. */
export type Ended =
  | { readonly tag: 'done'; readonly device?: AttachedDevice }
  | { readonly tag: 'already' }
  | { readonly tag: 'failed'; readonly failure: Failure };

/** Most looks at one operation, and the longest wait between two, in milliseconds. */
const MOST_LOOKS = 60;
const LONGEST_WAIT_MS = 2_000;

/**
 * Carries out one operation, in a new process for each call. `lost`: what `start` answers never arrives, and the ticket is the one
 * that was saved before it.
 */
export async function carryOut(peer: Peer, request: PrepareRequest, lost = false): Promise<Ended> {
  const provider = peer.open();
  const prepared = await provider.prepare(request, boundsOf(provider, 'read'));
  if (prepared.tag === 'failed') return prepared;
  if (prepared.tag === 'already') return { tag: 'already' };
  const { ticket } = prepared;
  const started = await provider.start(ticket, boundsOf(provider, 'mutate'));
  return lost ? follow(peer, ticket, { tag: 'pending', retryAfterMs: 0 }) : follow(peer, ticket, started);
}

async function follow(peer: Peer, saved: Ticket, first: StartOutcome | ResumeOutcome): Promise<Ended> {
  let outcome = first;
  let ticket = saved;
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const ended = endOf(outcome);
    if (ended !== undefined) return ended;
    if (outcome.tag === 'pending') ticket = outcome.ticket ?? ticket;
    const wish = 'retryAfterMs' in outcome ? outcome.retryAfterMs : LONGEST_WAIT_MS;
    await delay(peer.clock, Math.min(wish, LONGEST_WAIT_MS));
    const provider = peer.open();
    outcome = await provider.resume(ticket, boundsOf(provider, 'read'));
  }
  return assert.fail(`no end after ${MOST_LOOKS} looks; the last answer: ${JSON.stringify(outcome)}`);
}

function endOf(outcome: StartOutcome | ResumeOutcome): Ended | undefined {
  switch (outcome.tag) {
    case 'done':
      return outcome;
    case 'refused':
      return { tag: 'failed', failure: outcome.failure };
    case 'notDone': {
      const { failure = { kind: 'InDoubt', message: 'the operation came to nothing' } } = outcome;
      return { tag: 'failed', failure };
    }
    case 'pending':
    case 'unchanged':
    case 'inDoubt':
      return undefined;
    default:
      return outcome satisfies never;
  }
}
