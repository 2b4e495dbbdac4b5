import type { Failure } from '@cro/crd-types';
import type { Plan, RequestOutcome } from '../../src/index.ts';
import { isAlive, namesWhere, type Child, type Name, type World } from './world.ts';

/** One way in which a request may end. */
export interface Ending {
  readonly outcome: RequestOutcome;
  readonly to: World;
  readonly cooperative: boolean;
}

const failure: Failure = { kind: 'Unreachable', message: 'no answer' };

/** Every way in which the running request may end; one that fails may have done a part of its work. */
export function endingsOf(world: World): Ending[] {
  const { running: request } = world;
  const partly = (to: World): Ending => ({
    outcome: { request: request === 'plan' || request === 'nothing' ? 'deleteSelf' : request, tag: 'failed', failure },
    to,
    cooperative: false,
  });
  const doneOrPartly = (names: readonly Name[], child: Child): Ending[] => [
    {
      outcome: { request: request === 'plan' || request === 'nothing' ? 'deleteSelf' : request, tag: 'done' },
      to: withChildren(world, names, child),
      cooperative: true,
    },
    partly(withChildren(world, names.slice(0, 1), child)),
    partly(world),
  ];
  const { plan, children } = world;
  switch (request) {
    case 'nothing':
      return [];
    case 'plan':
      return [planned(world)];
    case 'createChildren':
      return doneOrPartly(
        namesWhere((name) => plan[name] !== 'absent' && children[name] === 'absent'),
        'new',
      );
    case 'deleteExtraChildren':
      return doneOrPartly(
        namesWhere((name) => plan[name] === 'absent' && isAlive(children[name])),
        'leaving',
      );
    case 'deleteAllChildren':
      return doneOrPartly(
        namesWhere((name) => children[name] !== 'absent'),
        'leaving',
      );
    case 'ownChildren':
      return [
        { outcome: { request, tag: 'done' }, to: { ...world, unowned: 'none' }, cooperative: true },
        partly(world),
      ];
    case 'deleteSelf': {
      const to = { ...world, deleted: true, exists: world.finalizer || world.foreign };
      return [{ outcome: { request, tag: 'done' }, to, cooperative: true }, partly(to), partly(world)];
    }
  }
}

function withChildren(world: World, names: readonly Name[], child: Child): World {
  return { ...world, children: { ...world.children, ...Object.fromEntries(names.map((name) => [name, child])) } };
}

/** A small policy: keep what is alive or only planned, fill up with names that nothing has. */
function planned(world: World): Ending {
  const { plan, children, size, room } = world;
  const keep = namesWhere(
    (name) => isAlive(children[name]) || (plan[name] === 'planned' && children[name] === 'absent'),
  ).slice(0, size);
  const free = namesWhere((name) => children[name] === 'absent' && plan[name] === 'absent');
  const chosen = [...keep, ...free].slice(0, size);
  const planOf = (names: readonly Name[]): Plan => Object.fromEntries(names.map((name) => [name, 'worker-0']));
  // A name that is still taken counts as no room: there are only three here.
  const outcome: RequestOutcome =
    (room || chosen.length === keep.length) && chosen.length === size
      ? { request: 'plan', tag: 'planned', plan: planOf(chosen) }
      : { request: 'plan', tag: 'unplaceable', reason: 'InsufficientNodes', message: 'no room', plan: planOf(keep) };
  return { outcome, to: world, cooperative: true };
}
