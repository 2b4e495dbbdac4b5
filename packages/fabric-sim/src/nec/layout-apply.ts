import type { Call, Protocol } from '../core/call.ts';
import type { Reply, SimRequest } from '../core/http.ts';
import { effectsOf, type Effect } from '../faults/effect.ts';
import { recordBody } from './apply-bodies.ts';
import { listApplies } from './apply-list.ts';
import { isRunning, isSuspended, type ApplyRecord } from './apply-record.ts';
import type { Applies } from './applies.ts';
import { machineOfSource, type NecContext } from './context.ts';
import { applyError } from './errors.ts';
import { readProcedures } from './procedures.ts';
import { cancel, resume } from './steer.ts';

const ROOT = '/cdim/api/v1/layout-apply';
const ONE = new RegExp(`^${ROOT}/([^/]+)$`);
const APPLY_ID = /^[0-9a-f]{10}$/;
const STILL_RUNNING = 'Apply ID cannot be deleted because it is currently being running. Try later again.';

/** The service that carries changes out (layout-apply 0.1.1): accepts them, and tells later what became of them. */
export function createLayoutApply(context: NecContext, applies: Applies): Protocol {
  return {
    route(request, url) {
      if (url.pathname === ROOT) return routeAll(context, applies, request, url);
      const applyID = ONE.exec(url.pathname)?.[1];
      return applyID === undefined ? undefined : routeOne(applies, request, url, applyID);
    },
  };
}

function routeAll(context: NecContext, applies: Applies, request: SimRequest, url: URL): Call {
  switch (request.method) {
    case 'GET':
      return { kind: 'poll', perform: () => listApplies(applies.all(), url.searchParams) };
    case 'POST':
      return beginning(context, applies, request);
    default:
      return wrongMethod();
  }
}

/** The call is an attach or a detach by what its first step does. */
function beginning(context: NecContext, applies: Applies, request: SimRequest): Call {
  const read = readProcedures(context.dialect, request.body ?? '');
  const [first] = read.tag === 'value' ? read.value.procedures : [];
  const machine = machineOfSource(context.dialect, first?.source);
  const kind = first?.operation === 'disconnect' ? 'detach' : 'attach';
  return {
    kind,
    ...(machine === undefined ? {} : { machine }),
    perform: (effects) => {
      if (read.tag === 'failed') return wrongBody(read.reason);
      const blocked = refusal(applies);
      if (blocked !== undefined) return blocked;
      const { applyID } = applies.begin(read.value, fateIn(effects));
      return { tag: 'json', status: 202, body: { applyID } };
    },
  };
}

/** What is wrong with the steps is told in a text; what is wrong around them in a list. */
function wrongBody(reason: string): Reply {
  const isInSteps = reason.startsWith('body/procedures/');
  return applyError(400, 'E40001', isInSteps ? `Unexpected strings ${reason}` : [{ msg: reason, type: 'value_error' }]);
}

function fateIn(effects: readonly Effect[]) {
  return effectsOf(effects, 'applyEnds')[0]?.end;
}

function refusal(applies: Applies): Reply | undefined {
  const blocker = applies.blocker();
  if (blocker === undefined) return undefined;
  if (blocker.why === 'running') {
    return applyError(409, 'E40010', 'Already running. Cannot start multiple instances.');
  }
  return applyError(
    409,
    'E40027',
    `Suspended data exist. Please resume layoutapply. applyID: ${blocker.record.applyID}`,
  );
}

function routeOne(applies: Applies, request: SimRequest, url: URL, applyID: string): Call {
  const on = (kind: Call['kind'], work: (record: ApplyRecord) => Reply): Call => ({
    kind,
    perform: () => {
      if (!APPLY_ID.test(applyID)) return applyError(400, 'E40001', `'${applyID}' does not match '^[0-9a-f]+$'`);
      const record = applies.get(applyID);
      return record === undefined ? applyError(404, 'E40020', `Specified ${applyID} is not found.`) : work(record);
    },
  });
  const action = url.searchParams.get('action');
  switch (request.method) {
    case 'GET':
      return on('poll', (record) => ({ tag: 'json', status: 200, body: recordBody(record) }));
    case 'DELETE':
      return on('steer', (record) => remove(applies, record));
    case 'PUT':
      return on('steer', (record) => {
        if (action === 'cancel') return cancel(applies, record, url.searchParams.get('rollbackOnCancel') === 'true');
        if (action === 'resume') return resume(applies, record);
        return applyError(400, 'E40001', `Unexpected strings '${action ?? ''}' is not one of ['cancel', 'resume']`);
      });
    default:
      return wrongMethod();
  }
}

function remove(applies: Applies, record: ApplyRecord): Reply {
  if (isRunning(record) || isSuspended(record)) return applyError(409, 'E40024', STILL_RUNNING);
  applies.delete(record.applyID);
  return { tag: 'empty', status: 204 };
}

function wrongMethod(): Call {
  return { kind: 'other', perform: () => ({ tag: 'json', status: 405, body: { detail: 'Method Not Allowed' } }) };
}
