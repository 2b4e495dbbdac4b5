import { badRequest, internalError, notFound } from '../base/failures.ts';
import type { SimRequest } from '../base/http.ts';
import { type JsonObject, listAt, stringAt } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';
import { flag, toCall } from '../api/call.ts';
import { targetOf } from '../api/route.ts';
import type { World } from '../api/world.ts';
import { keyOf } from '../store/store.ts';
import type { ExecIo, ExecRequest, ExecScript } from './exec.ts';

/** A command that may run. */
export interface ExecSession {
  readonly request: ExecRequest;
  readonly wantsStdin: boolean;
  /** Runs it; answers the Status object that the client's error channel gets. */
  run(io: ExecIo, signal: AbortSignal): Promise<JsonObject>;
}

/** Checks an exec request: the pod and its container must exist, and there must be a script that answers. */
export function checkExec(world: World, script: ExecScript | undefined, incoming: SimRequest): Result<ExecSession> {
  const call = toCall(incoming, new AbortController().signal);
  const target = targetOf(world, call);
  if (target?.subresource !== 'exec' || target.type.plural !== 'pods' || target.name === undefined) {
    return badRequest('only pods/exec can be upgraded to a WebSocket');
  }
  const namespace = target.namespace ?? '';
  const pod = world.store.collection(target.type).get(keyOf(namespace, target.name));
  if (pod === undefined) return notFound(target.type, target.name);
  const containers = listAt(pod, 'spec', 'containers').map((container) => stringAt(container, 'name') ?? '');
  const container = call.query.get('container') ?? containers[0] ?? '';
  if (!containers.includes(container)) return badRequest(`container ${container} is not valid for pod ${target.name}`);
  const command = call.query.getAll('command');
  if (command.length === 0) return badRequest('you must specify at least one command for the container');
  if (script === undefined) return internalError('this server was made without an exec script');
  const request = { namespace, pod: target.name, container, command, tty: flag(call, 'tty') };
  return success({
    request,
    wantsStdin: flag(call, 'stdin'),
    run: async (io, signal) => exitStatus(await script(request, io, signal)),
  });
}

/** What the kubelet sends when a command has ended. */
function exitStatus(code: number): JsonObject {
  if (code === 0) return { metadata: {}, status: 'Success' };
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${String(code)}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}
