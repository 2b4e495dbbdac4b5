import type { CallContext, Failed, OperationTarget } from '@cro/cdi-core';
import { isRunning } from '../redfish/tasks.ts';
import { belowParent, isUri } from '../redfish/uri.ts';
import { decode, type Task } from '../redfish/wire.ts';
import { readMembers } from '../tree/members.ts';
import type { World } from '../world.ts';
import type { Notes } from './notes.ts';

/** A task that carries out a request whose answer was lost. */
export type TaskSearch = { readonly tag: 'found'; readonly operation: string } | { readonly tag: 'none' } | Failed;

/** Looks among the service's running tasks for the one of a request: by the address and the body that it was sent with. */
export async function searchTask(
  world: World,
  target: OperationTarget<Notes>,
  context: CallContext,
): Promise<TaskSearch> {
  const layout = await world.layouts.read(context);
  if (layout.tag === 'failed') return layout;
  if (layout.value.tasks === undefined) return { tag: 'none' };
  const service = await world.service.get(layout.value.tasks, decode.tasks, context);
  if (service.tag === 'failed') return service;
  if (service.tag === 'absent') return { tag: 'none' };
  const uri = belowParent(layout.value.tasks, 'Tasks', service.value.Tasks?.['@odata.id']);
  const expand = layout.value.expand === undefined ? undefined : '.($levels=1)';
  const tasks = await readMembers(world.service, uri, decode.task, context, expand);
  if (tasks.tag === 'failed') return tasks;
  for (const { read } of tasks.members) {
    const monitor = read.tag === 'ok' && carriesOut(read.value, target) ? read.value.TaskMonitor : undefined;
    if (monitor !== undefined && isUri(monitor)) return { tag: 'found', operation: monitor };
  }
  return { tag: 'none' };
}

function carriesOut({ TaskState: state, Payload: payload }: Task, { op, notes }: OperationTarget<Notes>): boolean {
  if (!isRunning(state) || payload === undefined) return false;
  const { TargetUri: uri, JsonBody: body = '' } = payload;
  switch (notes.method) {
    case 'action':
      return uri === (op === 'attach' ? notes.add : notes.remove) && body.includes(notes.block);
    case 'patch':
      return uri === notes.system && body.includes(notes.block) === (op === 'attach');
    case 'connection':
      if (op === 'detach') return uri === (notes.uri ?? `${notes.connections}/${notes.name}`);
      return uri === notes.connections && body.includes(notes.name);
    default:
      return notes satisfies never;
  }
}
