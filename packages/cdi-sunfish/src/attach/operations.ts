import type { CallContext, OperationFabric, OperationTarget } from '@cro/cdi-core';
import { pollTask } from '../redfish/tasks.ts';
import { readSystem, systemUri } from '../tree/systems.ts';
import type { World } from '../world.ts';
import { lookBlock, submitBlock } from './blocks.ts';
import { chooseBlock, type Choice } from './choose-block.ts';
import { chooseEndpoint } from './choose-endpoint.ts';
import { chooseMemory } from './choose-memory.ts';
import { connect } from './connect.ts';
import { disconnect } from './disconnect.ts';
import { findDevice } from './find.ts';
import { lookConnection } from './look-connection.ts';
import { methodOf } from './method.ts';
import { searchTask } from './search-task.ts';
import { decodeNotes, type ByAction, type ByConnection, type ByPatch, type Notes } from './notes.ts';

/** How long a service may show the old state after its task has ended, in milliseconds. */
const LAG_MS = 60_000;

/** What the strategy of operations is given for a Redfish service. */
export function redfishOperations(world: World): OperationFabric<Notes> {
  return {
    decodeNotes,
    choose: (request, context) => choose(world, request, context),
    find: (request, context) => findDevice(world, request, context),
    submit: (target, context) =>
      split(
        target,
        (one) => submitBlock(world, one, context),
        (one) => (one.op === 'attach' ? connect : disconnect)(world, one, context),
      ),
    look: (target, context) =>
      split(
        target,
        (one) => lookBlock(world, one, context),
        (one) => lookConnection(world, one, context),
      ),
    search: (target, context) => searchTask(world, target, context),
    poll: (monitor, _target, context) => pollTask(world.service, monitor, context),
    lagMs: LAG_MS,
  };
}

async function choose(
  world: World,
  request: Parameters<OperationFabric<Notes>['choose']>[0],
  context: CallContext,
): Promise<Choice> {
  const layout = await world.layouts.read(context);
  if (layout.tag === 'failed') return layout;
  const system = await readSystem(world.service, layout.value, request.machine, context);
  if (system.tag === 'failed') return system;
  if (system.tag === 'absent') return { tag: 'failed', failure: { ...system.failure, kind: 'Rejected' } };
  if (request.type === 'cxlmemory') return chooseMemory(world, layout.value, request, context);
  const uri = systemUri(layout.value, request.machine);
  const method = methodOf(system.value, uri, layout.value, world.config.attachMethod);
  switch (method.tag) {
    case 'none':
      return { tag: 'failed', failure: method.failure };
    case 'connection':
      return chooseEndpoint(world, layout.value, request, context);
    case 'action':
    case 'patch':
      return chooseBlock(world, layout.value, method, request, context);
    default:
      return method satisfies never;
  }
}

/** Hands a target to the half that knows its notes. */
function split<R>(
  target: OperationTarget<Notes>,
  blocks: (target: OperationTarget<ByAction | ByPatch>) => R,
  connections: (target: OperationTarget<ByConnection>) => R,
): R {
  const { notes, ...rest } = target;
  return notes.method === 'connection' ? connections({ ...rest, notes }) : blocks({ ...rest, notes });
}
