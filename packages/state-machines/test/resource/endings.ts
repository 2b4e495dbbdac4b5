import type { Failure } from '@cro/crd-types';
import type { Device, ResourceOutcome, ResourceRequest } from '../../src/index.ts';
import { deviceOf, ticketOf } from './object.ts';
import type { World } from './world.ts';

/** One way in which a request may end: what it did to the world, and what is told of it. */
export interface Ending {
  readonly outcome: ResourceOutcome;
  readonly to: World;
  readonly cooperative: boolean;
}

const failure: Failure = { kind: 'Unreachable', message: 'no answer' };

/** The requests that wait for the lane of the machine first. */
export const TAKES_LANE: readonly ResourceRequest[] = ['prepareAttach', 'prepareDetach', 'findUnowned'];

/** Every way in which the running request may end in this world. It does end: where all else is a fault, with that. */
export function endingsOf(world: World): Ending[] {
  const endings = waysToEnd(world);
  return endings.some(({ cooperative }) => cooperative)
    ? endings
    : endings.map((ending) => ({ ...ending, cooperative: true }));
}

function waysToEnd(world: World): Ending[] {
  const { running } = world;
  switch (running) {
    case 'nothing':
      return [];
    case 'ensureDriver':
    case 'refreshNode':
    case 'drain':
    case 'unfence':
    case 'spareDevice':
      return [
        well({ request: running, tag: 'done' }, world),
        badly({ request: running, tag: 'failed', failure }, world),
      ];
    case 'fence':
      return [
        well({ request: running, tag: 'done' }, world),
        badly({ request: running, tag: 'failed', failure }, world),
        ...[true, false].map((goOn) =>
          badly({ request: running, tag: 'unavailable', reason: 'FenceNotServed', message: 'not served', goOn }, world),
        ),
      ];
    case 'deleteSelf':
      return [
        well({ request: running, tag: 'done' }, deletedOf(world)),
        badly({ request: running, tag: 'failed', failure }, world),
        // The server did it, and its answer was lost.
        badly({ request: running, tag: 'failed', failure }, deletedOf(world)),
      ];
    case 'locate':
      return onPlace(world, [well({ request: running, tag: 'located' }, world)]);
    case 'findUnowned':
      return onPlace(world, [
        well(
          world.devices === 1
            ? { request: running, tag: 'one', device: deviceOf(world) }
            : { request: running, tag: 'noneOrMany' },
          world,
        ),
      ]);
    case 'confirmOnFabric':
      return onPlace(world, [well({ request: running, tag: world.devices === 0 ? 'notAttached' : 'attached' }, world)]);
    case 'prepareAttach':
      return onPlace(world, [well({ request: running, tag: 'ticket', ticket: ticketOf('attach') }, world)]);
    case 'prepareDetach':
      return onPlace(world, [
        well(
          world.devices === 0
            ? { request: running, tag: 'already' }
            : { request: running, tag: 'ticket', ticket: ticketOf('detach') },
          world,
        ),
      ]);
    case 'identify':
      return [
        well({ request: running, tag: 'identified', device: { deviceId: 'GPU-a', cdiDeviceId: 'RES-a' } }, world),
        badly({ request: running, tag: 'notYet', message: 'the node does not show it' }, world),
        badly({ request: running, tag: 'failed', failure }, world),
      ];
    case 'findLoad':
    case 'findAllocation':
      return [
        well({ request: running, tag: 'idle' }, world),
        badly({ request: running, tag: 'inUse', by: 'a pod' }, world),
        badly({ request: running, tag: 'failed', failure }, world),
      ];
    case 'start':
      return endingsOfStart(world);
    case 'resume':
      return endingsOfResume(world);
  }
}

function well(outcome: ResourceOutcome, to: World): Ending {
  return { outcome, to, cooperative: true };
}

function badly(outcome: ResourceOutcome, to: World): Ending {
  return { outcome, to, cooperative: false };
}

/** What needs the machine of the fabric fails for ever where nobody knows it any more. */
function onPlace(world: World, endings: readonly Ending[]): Ending[] {
  const request = world.running as 'locate' | 'findUnowned' | 'confirmOnFabric' | 'prepareAttach' | 'prepareDetach';
  const fails = badly({ request, tag: 'failed', failure }, world);
  return world.place || world.node !== 'gone' ? [...endings, fails] : [fails];
}

function deletedOf(world: World): World {
  return { ...world, deleted: true, exists: world.finalizer || world.foreign };
}

/** The call was done; the devices beyond the one asked for are given back through objects of their own. */
function done(world: World, request: 'start' | 'resume'): Ending {
  if (world.ticket === 'detach') return well({ request, tag: 'done' }, world);
  return well({ request, tag: 'done', device: deviceOf(world) }, { ...world, devices: 1 });
}

function isDone(world: World): boolean {
  return world.ticket === 'detach' ? world.devices === 0 : world.devices > 0;
}

function endingsOfStart(world: World): Ending[] {
  const inDoubt = badly({ request: 'start', tag: 'inDoubt', failure }, world);
  if (isDone(world)) return [done(world, 'start'), inDoubt];
  const refused = badly({ request: 'start', tag: 'refused', failure }, { ...world, call: 'none' });
  const pending = well({ request: 'start', tag: 'pending', retryAfterMs: 1000 }, world);
  return world.call === 'none' ? [refused, inDoubt] : [refused, pending, inDoubt];
}

function endingsOfResume(world: World): Ending[] {
  const request = 'resume';
  const inDoubt = badly({ request, tag: 'inDoubt', failure }, world);
  const unchanged = badly({ request, tag: 'unchanged', settled: false, retryAfterMs: 1000 }, world);
  if (isDone(world)) return [done(world, request), inDoubt];
  if (world.call !== 'none') return [well({ request, tag: 'pending', retryAfterMs: 1000 }, world), unchanged, inDoubt];
  return [
    unchanged,
    well({ request, tag: 'unchanged', settled: true, retryAfterMs: 1000 }, world),
    badly({ request, tag: 'notDone' }, world),
    inDoubt,
  ];
}

/** The device that an outcome names: from then on the process looks for that one on the node. */
export function foundBy(outcome: ResourceOutcome | undefined): Device | undefined {
  return outcome !== undefined && 'device' in outcome ? outcome.device : undefined;
}
