import type { ResourceState } from '@cro/crd-types';
import type { ResourceFacts, ResourceRequest } from '../../src/index.ts';

/** A resource, the fabric, the node and a process that looks after it, as flat as possible: there are many of them. */
export interface World {
  /** Whether the provider knows what the node calls a device, and what the user or the syncer wrote. */
  readonly named: boolean;
  readonly force: boolean;
  readonly labels: 'none' | 'device' | 'empty';
  /** Whether somebody else's finalizer holds the object too. */
  readonly foreign: boolean;
  /** The object in the API server. */
  readonly exists: boolean;
  readonly state: ResourceState;
  readonly deleted: boolean;
  readonly finalizer: boolean;
  readonly hold: ResourceFacts['hold'];
  readonly ticket: ResourceFacts['ticket'];
  readonly ids: 'none' | 'fabric' | 'both';
  readonly released: boolean;
  /** What the condition Fenced says. */
  readonly fenced: 'nothing' | 'no' | 'yes';
  readonly place: boolean;
  readonly observed: boolean;
  /** The process: all of it is lost in a crash. */
  readonly running: ResourceRequest | 'nothing';
  readonly queued: boolean;
  readonly unstarted: boolean;
  readonly settled: boolean;
  /** `event`, `timer`: the machine decided to wait, and nothing that it looks at has changed since. */
  readonly waiting: 'no' | 'event' | 'timer';
  readonly node: ResourceFacts['node'];
  readonly visible: ResourceFacts['visible'];
  /** The truth: how many devices the fabric has attached for the object, and the call that it is still at work on. */
  readonly devices: 0 | 1 | 2;
  readonly call: 'none' | 'attach' | 'detach';
  /** Whether the fabric has brought more than it was asked for already. */
  readonly generous: boolean;
  /** Whether somebody removed the finalizer by hand: then the syncer finds the device. */
  readonly byHand: boolean;
}

/** A new child of a request, on a ready node. */
export const newborn: World = {
  named: true,
  force: false,
  labels: 'none',
  foreign: false,
  exists: true,
  state: '',
  deleted: false,
  finalizer: true,
  hold: 'none',
  ticket: 'none',
  ids: 'none',
  released: false,
  fenced: 'nothing',
  place: false,
  observed: false,
  running: 'nothing',
  queued: false,
  unstarted: false,
  settled: false,
  waiting: 'no',
  node: 'ready',
  visible: 'absent',
  devices: 0,
  call: 'none',
  generous: true,
  byHand: false,
};

const BOOLEAN = [false, true] as const;

/** Every value of every field. */
export const domain: { readonly [Field in keyof World]: readonly World[Field][] } = {
  named: BOOLEAN,
  force: BOOLEAN,
  labels: ['none', 'device', 'empty'],
  foreign: BOOLEAN,
  exists: BOOLEAN,
  state: ['', 'Attaching', 'Online', 'Detaching', 'Deleting'],
  deleted: BOOLEAN,
  finalizer: BOOLEAN,
  hold: ['none', 'paused', 'detached'],
  ticket: ['none', 'attach', 'attached', 'detach'],
  ids: ['none', 'fabric', 'both'],
  released: BOOLEAN,
  fenced: ['nothing', 'no', 'yes'],
  place: BOOLEAN,
  observed: BOOLEAN,
  running: [
    'nothing',
    'ensureDriver',
    'findUnowned',
    'confirmOnFabric',
    'prepareAttach',
    'prepareDetach',
    'start',
    'resume',
    'locate',
    'identify',
    'refreshNode',
    'findLoad',
    'fence',
    'findAllocation',
    'drain',
    'unfence',
    'spareDevice',
    'deleteSelf',
  ],
  queued: BOOLEAN,
  unstarted: BOOLEAN,
  settled: BOOLEAN,
  waiting: ['no', 'event', 'timer'],
  node: ['ready', 'notReady', 'gone', 'unknown'],
  visible: ['visible', 'absent', 'unknown'],
  devices: [0, 1, 2],
  call: ['none', 'attach', 'detach'],
  generous: BOOLEAN,
  byHand: BOOLEAN,
};

/** Numbers the worlds by these fields; all of them fit into 2^53. */
export function numbering(fields: readonly (keyof World)[]): (world: World) => number {
  let weight = 1;
  const weights = fields.map((field): readonly [keyof World, ReadonlyMap<unknown, number>] => {
    const unit = weight;
    weight *= domain[field].length;
    return [field, new Map<unknown, number>(domain[field].map((value, index) => [value, index * unit]))];
  });
  return (world) => weights.reduce((sum, [field, values]) => sum + (values.get(world[field]) ?? NaN), 0);
}

/** The names of the fields. */
export function fieldsOf(world: World): (keyof World)[] {
  return Object.keys(world) as (keyof World)[];
}
