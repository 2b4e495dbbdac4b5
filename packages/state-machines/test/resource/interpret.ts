import { isDeepStrictEqual } from 'node:util';
import {
  nextStatus,
  resourceFacts,
  resourceWords,
  stepResource,
  type Again,
  type ResourceChange,
  type ResourceDecision,
  type ResourceFacts,
  type ResourceKnowledge,
  type ResourceOutcome,
  type ResourceRequest,
  type StatusChange,
} from '../../src/index.ts';
import { isConsistent, resourceDomainIn } from '../../src/catalogue.ts';
import type { Move } from '../explore/search.ts';
import { foundBy } from './endings.ts';
import { knowledgeOf, location, NOW, objectOf, partOf } from './object.ts';
import { fieldsOf, newborn, numbering, type World } from './world.ts';

/** Rules that hold in every world; a broken one ends the exploration with the way to it. */
function must(rule: boolean, text: string): asserts rule {
  if (!rule) throw new Error(`rule broken: ${text}`);
}

/** Names of all rows that decided something. */
export const rowsSeen = new Set<string>();

/** The picture of the states is drawn from what the catalogue says can be. */
function mustBeExpected(facts: ResourceFacts): void {
  const told = JSON.stringify(facts);
  must(isConsistent(facts), `these facts do not exclude each other: ${told}`);
  const domain: Readonly<Record<string, readonly unknown[]>> = resourceDomainIn[facts.state];
  for (const [name, value] of Object.entries(facts)) {
    must(domain[name]?.includes(value) ?? true, `${name} is in the domain of its state: ${told}`);
  }
}

interface Decided {
  readonly row: string;
  readonly decision: ResourceDecision;
  readonly known: ResourceKnowledge;
  /** The object's part of the world after the status that the decision writes, if it writes one. */
  written: Partial<World> | undefined;
}

const decided = new Map<string, Decided>();
const UNSEEN: readonly string[] = ['devices', 'call', 'generous', 'byHand', 'waiting', 'exists'];
const numberOf = numbering(fieldsOf(newborn).filter((field) => !UNSEEN.includes(field)));

/** The machine is pure, and sees only a part of the world: what it said of that part once, it says always. */
function decide(world: World, outcome?: ResourceOutcome): Decided {
  const key = `${numberOf(world)} ${outcome === undefined ? '' : JSON.stringify(outcome)}`;
  const before = decided.get(key);
  if (before !== undefined) return before;
  const object = objectOf(world);
  const known = knowledgeOf(world, foundBy(outcome));
  const facts = resourceFacts(object, world.state, known);
  const step = stepResource(facts, resourceWords(object, known), outcome);
  rowsSeen.add(`${world.state}: ${step.row}`);
  if (outcome === undefined) mustBeExpected(facts);
  const now: Decided = { ...step, known, written: undefined };
  decided.set(key, now);
  return now;
}

/** One step of the machine, carried out. */
export function takeStep(world: World, outcome?: ResourceOutcome): Move<World> {
  const decided = decide(world, outcome);
  must(decided.row !== 'no row', 'every situation has a row');
  const { to, says } = carryOut(world, decided);
  return { label: decided.row, to, cooperative: true, ...(says !== undefined && { says }) };
}

interface Carried {
  readonly to: World;
  readonly says?: string;
}

function carryOut(world: World, decided: Decided): Carried {
  const { decision } = decided;
  switch (decision.tag) {
    case 'nothing':
      must(world.deleted && !world.finalizer, 'only for a deleted object without our finalizer nothing is left to do');
      return { to: { ...world, waiting: 'event' } };
    case 'await':
      must(world.running !== 'nothing', 'only what runs is awaited');
      return { to: { ...world, waiting: 'event' } };
    case 'abort':
      return { to: abort(world) };
    case 'request': {
      const { request, change } = decision;
      if (change === undefined) return { to: begin(world, request) };
      const told = write(world, change, decided);
      if (change.tag === 'report') return { to: begin(told, request), says: change.report.message };
      return { to: begin(told, request), ...(told.fenced !== world.fenced && { says: 'save noteFence' }) };
    }
    case 'wait': {
      const { report, again } = decision;
      const to = { ...write(world, { tag: 'report', report }, decided), waiting: waitingFor(again) };
      return { to, says: `${report.state} ${report.reason} ${report.message}` };
    }
    case 'save': {
      const { change, pause } = decision;
      const to = {
        ...save(world, change, decided),
        waiting: pause === undefined ? ('no' as const) : waitingFor(pause),
      };
      must(!isDeepStrictEqual({ ...to, waiting: world.waiting }, world), `${change.tag} says something new`);
      return { to, says: `save ${change.tag}` };
    }
  }
}

function waitingFor(again: Again): 'event' | 'timer' {
  return again.tag === 'event' ? 'event' : 'timer';
}

function abort(world: World): World {
  const { running } = world;
  must(running !== 'nothing' && running !== 'start' && running !== 'resume', 'only what has no ticket is given up');
  const to = { ...world, running: 'nothing', queued: false, waiting: 'no' } as const;
  const { decision } = decide(to);
  must(
    decision.tag !== 'request' || decision.request !== running,
    `${running} is not given up only to be asked for again`,
  );
  return to;
}

const TOUCHES_HARDWARE: readonly ResourceRequest[] = [
  'ensureDriver',
  'prepareAttach',
  'prepareDetach',
  'start',
  'drain',
  'fence',
];

function begin(world: World, request: ResourceRequest): World {
  must(world.running === 'nothing', 'one request at a time');
  must(
    world.hold === 'none' || !TOUCHES_HARDWARE.includes(request),
    `${request} is not begun for a ${world.hold} object`,
  );
  must(
    world.labels !== 'device' || world.devices > 0 || !['fence', 'drain', 'start'].includes(request),
    `${request}: what the labels name and the fabric has not is left alone`,
  );
  const to = { ...world, running: request, queued: false, waiting: 'no' } as const;
  if (request !== 'start') return to;
  must(world.ticket === 'attach' || world.ticket === 'detach', 'the fabric is called for a saved ticket');
  must(world.unstarted, 'the fabric is called once, by the process that saved the ticket');
  must(world.finalizer, 'the fabric is called only for an object that cannot vanish');
  must(world.call === 'none', 'two calls for one resource are never under way at once');
  must(world.ticket === 'detach' || world.devices === 0, 'a second device is never asked for');
  return { ...to, unstarted: false, call: world.ticket };
}

/** Writes a status, which must be the same when it is written again. */
function write(world: World, change: StatusChange, decided: Decided): World {
  decided.written ??= writtenBy(world, change, decided.known);
  return { ...world, ...decided.written };
}

function writtenBy(world: World, change: StatusChange, known: ResourceKnowledge): Partial<World> {
  const object = objectOf(world);
  const context = { known, now: NOW, location };
  const status = nextStatus(object, change, context);
  const again = nextStatus({ ...object, status }, change, { ...context, now: 'later' });
  must(isDeepStrictEqual(again, status), `${change.tag} written twice is one write`);
  return partOf(status);
}

function save(world: World, change: ResourceChange, decided: Decided): World {
  switch (change.tag) {
    case 'addFinalizer':
      must(!world.deleted, 'a finalizer cannot be added to what is being deleted');
      return { ...world, finalizer: true, byHand: false };
    case 'removeFinalizer':
      must(world.ticket === 'none', 'an open ticket keeps the finalizer');
      must(world.deleted && world.finalizer, 'a finalizer is removed once, from what is being deleted');
      must(
        world.hold === 'detached' || world.byHand || (world.devices === 0 && world.call === 'none'),
        'no device is lost',
      );
      return { ...world, finalizer: false, exists: world.foreign };
    case 'openTicket':
      must(world.ticket === 'none', 'one ticket at a time');
      return { ...write(world, change, decided), unstarted: true };
    default:
      return { ...write(world, change, decided), unstarted: world.unstarted && change.tag !== 'closeTicket' };
  }
}
