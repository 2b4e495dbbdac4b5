import type { RequestState } from '@cro/crd-types';
import type { RequestFacts, RequestRequest } from '../../src/index.ts';

export const NAMES = ['a', 'b', 'c'] as const;
export type Name = (typeof NAMES)[number];

/** `lost`: Detaching without having been deleted, as its node is gone. */
export type Child = 'absent' | 'new' | 'online' | 'lost' | 'leaving';

/** A request, its children, what can be placed, and a process that looks after it. */
export interface World {
  readonly exists: boolean;
  readonly state: RequestState;
  readonly deleted: boolean;
  readonly finalizer: boolean;
  /** Somebody else's finalizer. */
  readonly foreign: boolean;
  readonly paused: boolean;
  readonly size: number;
  /** The size that the plan was made for, and the names in it: created or only planned, as the status says. */
  readonly plannedSize: number | undefined;
  readonly plan: Readonly<Record<Name, 'absent' | 'planned' | 'created'>>;
  readonly children: Readonly<Record<Name, Child>>;
  /** A child whose owner link was taken away by hand. */
  readonly unowned: Name | 'none';
  readonly running: RequestRequest | 'nothing';
  readonly waiting: 'no' | 'event' | 'timer';
  readonly target: RequestFacts['target'];
  readonly room: boolean;
  /** How often the user may still change the size or delete a child, and a node may be lost. */
  readonly whims: number;
}

export const newborn: World = {
  exists: true,
  state: '',
  deleted: false,
  finalizer: false,
  foreign: false,
  paused: false,
  size: 2,
  plannedSize: undefined,
  plan: { a: 'absent', b: 'absent', c: 'absent' },
  children: { a: 'absent', b: 'absent', c: 'absent' },
  unowned: 'none',
  running: 'nothing',
  waiting: 'no',
  target: 'unset',
  room: true,
  whims: 1,
};

export function namesWhere(test: (name: Name) => boolean): Name[] {
  return NAMES.filter(test);
}

/** The children that count: those on their way out do not. */
export function isAlive(child: Child): boolean {
  return child === 'new' || child === 'online';
}
