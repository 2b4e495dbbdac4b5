import { isDeepStrictEqual } from 'node:util';
import {
  nextRequestStatus,
  requestFacts,
  requestWords,
  stepRequest,
  type RequestChange,
  type RequestDecision,
  type RequestOutcome,
  type RequestStatusChange,
} from '../../src/index.ts';
import type { Move } from '../explore/search.ts';
import { endingsOf } from './endings.ts';
import { childrenOf, NOW, partOf, requestOf } from './object.ts';
import { NAMES, namesWhere, type Child, type Name, type World } from './world.ts';

function must(rule: boolean, text: string): asserts rule {
  if (!rule) throw new Error(`rule broken: ${text}`);
}

/** All that may happen next. */
export function movesOf(world: World): Move<World>[] {
  if (!world.exists) return [];
  const moves = [...movesOfChildren(world), ...movesOfPeople(world), ...movesOfProcess(world)];
  if (world.running === 'nothing' && world.waiting === 'no') moves.push(takeStep(world));
  for (const { outcome, to, cooperative } of endingsOf(world)) {
    const told = { ...to, running: 'nothing', waiting: 'no' } as const;
    const move = told.exists ? takeStep(told, outcome) : { label: 'gone', to: told };
    moves.push({ ...move, label: `${outcome.request} ends ${outcome.tag}, ${move.label}`, cooperative });
  }
  return moves;
}

/** Names of all rows that decided something. */
export const rowsSeen = new Set<string>();

function takeStep(world: World, outcome?: RequestOutcome): Move<World> {
  const children = childrenOf(world);
  const facts = requestFacts(requestOf(world), world.state, children, { target: world.target, draining: false });
  const { row, decision } = stepRequest(facts, requestWords(requestOf(world), children), outcome);
  must(row !== 'no row', 'every situation has a row');
  rowsSeen.add(row);
  return { label: row, cooperative: true, ...carryOut(world, decision) };
}

function carryOut(world: World, decision: RequestDecision): { readonly to: World; readonly says?: string } {
  switch (decision.tag) {
    case 'nothing':
      must(world.deleted && !world.finalizer, 'only for a deleted request without finalizer nothing is left to do');
      return { to: { ...world, waiting: 'event' } };
    case 'request': {
      must(!world.paused || world.deleted, 'nothing is begun for a paused request');
      must(world.finalizer || world.deleted, 'nothing is begun without the finalizer');
      const told = decision.report ? write(world, { tag: 'report', report: decision.report }) : world;
      return { to: { ...told, running: decision.request, waiting: 'no' } };
    }
    case 'wait': {
      const { report, again } = decision;
      const waiting = again.tag === 'event' ? ('event' as const) : ('timer' as const);
      return {
        to: { ...write(world, { tag: 'report', report }), waiting },
        says: `${report.reason} ${report.message}`,
      };
    }
    case 'save': {
      const to = save(world, decision.change);
      must(!isDeepStrictEqual({ ...to, waiting: world.waiting }, world), `${decision.change.tag} says something new`);
      return {
        to: { ...to, waiting: decision.pause === undefined ? 'no' : 'timer' },
        says: `save ${decision.change.tag}`,
      };
    }
  }
}

function write(world: World, change: RequestStatusChange): World {
  const request = requestOf(world);
  const status = nextRequestStatus(request, change, childrenOf(world), NOW);
  const again = nextRequestStatus({ ...request, status }, change, childrenOf(world), 'later');
  must(isDeepStrictEqual(again, status), `${change.tag} written twice is one write`);
  return { ...world, ...partOf(status) };
}

function save(world: World, change: RequestChange): World {
  switch (change.tag) {
    case 'addFinalizer':
      must(!world.deleted, 'a finalizer cannot be added to what is being deleted');
      return { ...world, finalizer: true };
    case 'removeFinalizer':
      must(world.deleted && world.finalizer, 'a finalizer is removed once, from what is being deleted');
      must(childrenOf(world).length === 0, 'no child is left without its request');
      return { ...world, finalizer: false, exists: world.foreign };
    case 'recordPlan':
      must(Object.keys(change.plan).length <= world.size, 'never more is planned than asked for');
      return write(world, change);
    case 'report':
      return write(world, change);
  }
}

function changed(world: World, name: Name, child: Child): World {
  const unowned = child === 'absent' && world.unowned === name ? 'none' : world.unowned;
  return { ...world, children: { ...world.children, [name]: child }, unowned, waiting: 'no' };
}

function disowned(world: World, name: Name): Move<World> {
  const to = { ...world, unowned: name, whims: world.whims - 1, waiting: 'no' } as const;
  return { label: `${name} loses its owner link by hand`, to, cooperative: false };
}

function movesOfChildren(world: World): Move<World>[] {
  return NAMES.flatMap((name): Move<World>[] => {
    const move = (label: string, child: Child, cooperative: boolean): Move<World> => {
      const whims = cooperative ? world.whims : world.whims - 1;
      return { label: `${name} ${label}`, to: { ...changed(world, name, child), whims }, cooperative };
    };
    const may = world.whims > 0;
    switch (world.children[name]) {
      case 'absent':
        return [];
      case 'new':
        return [move('online', 'online', true), ...(may ? [move('deleted by hand', 'leaving', false)] : [])];
      case 'online':
        return may
          ? [move('deleted by hand', 'leaving', false), move('loses its node', 'lost', false), disowned(world, name)]
          : [];
      case 'lost':
        return [move('gone', 'absent', true)];
      case 'leaving':
        return [move('gone', 'absent', true)];
    }
  });
}

function movesOfPeople(world: World): Move<World>[] {
  const awake = { ...world, waiting: 'no' } as const;
  const move = (label: string, to: World, cooperative = false): Move<World> => ({ label, to, cooperative });
  const moves = [move(world.paused ? 'unpaused' : 'paused', { ...awake, paused: !world.paused })];
  if (!world.deleted)
    moves.push(move('deleted', { ...awake, deleted: true, exists: world.finalizer || world.foreign }));
  if (world.foreign && world.deleted)
    moves.push(move('foreign finalizer goes', { ...awake, foreign: false, exists: world.finalizer }, true));
  if (world.whims > 0) {
    for (const size of [0, 1, 2])
      if (size !== world.size) moves.push(move(`size ${size}`, { ...awake, size, whims: world.whims - 1 }));
  }
  moves.push(move(world.room ? 'full' : 'room', { ...world, room: !world.room }, !world.room));
  if (world.target === 'unknown') moves.push(move('target node read', { ...awake, target: 'present' }, true));
  if (world.target === 'present') moves.push(move('target node gone', { ...awake, target: 'gone' }));
  if (world.finalizer && namesWhere((name) => world.children[name] !== 'absent').length === 0 && !world.deleted)
    moves.push(move('finalizer removed by hand', { ...awake, finalizer: false }));
  return moves;
}

function movesOfProcess(world: World): Move<World>[] {
  const target = world.target === 'unset' ? 'unset' : 'unknown';
  const crash = { ...world, running: 'nothing', waiting: 'no', target } as const;
  const moves: Move<World>[] = [{ label: 'crash', to: crash, cooperative: false }];
  if (world.waiting === 'timer')
    moves.push({ label: 'time passes', to: { ...world, waiting: 'no' }, cooperative: true });
  return moves;
}
