import { cleanText, type CallContext, type OperationStatus, type OperationTarget } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import { getApply, steerApply } from './calls.ts';
import type { Cdim } from './cdim.ts';
import { failureOf, refusalIn } from './failures.ts';
import { resultOf, type StepResult } from './step-result.ts';
import type { Notes } from './notes.ts';
import type { Apply } from './wire.ts';

/** How often an apply that stopped on a busy piece of hardware is resumed before it is given up. */
const MOST_RESUMES = 3;

/** Asks where an apply of ours stands; one that waits for a decision gets it, since it stops CDIM for everybody. */
export async function poll(
  cdim: Cdim,
  applyID: string,
  target: OperationTarget<Notes>,
  context: CallContext,
): Promise<OperationStatus> {
  const answer = await cdim.client.call(getApply(cdim.places, applyID), context);
  if (answer.tag === 'status' && answer.status === 404 && refusalIn(answer) !== undefined) return { tag: 'gone' };
  if (answer.tag !== 'ok') return { tag: 'failed', failure: failureOf('CDIM layout-apply status', answer) };
  const status = await statusOf(cdim, answer.value, target, context);
  if (status.tag === 'running') return status;
  await cdim.synchroniser.ask(context);
  return status;
}

async function statusOf(
  cdim: Cdim,
  apply: Apply,
  target: OperationTarget<Notes>,
  context: CallContext,
): Promise<OperationStatus> {
  const result = resultOf(apply);
  switch (apply.status) {
    case 'IN_PROGRESS':
      return running(cdim, apply, context);
    case 'CANCELING':
      return canceling(cdim, apply);
    case 'COMPLETED':
      return { tag: 'ended' };
    case 'FAILED':
      return over(cdim, apply, result, target);
    case 'CANCELED':
      return canceled(apply);
    case 'SUSPENDED':
      return decide(cdim, apply, result, target, context);
    default: {
      const message = `apply ${apply.applyID} has the unknown status '${cleanText(apply.status, 32)}'`;
      return { tag: 'failed', failure: { kind: 'Protocol', message } };
    }
  }
}

/** What changes while an apply moves: how far its steps are. */
function signOf({ applyResult = [], resumeResult = [] }: Apply): string {
  return [...applyResult, ...resumeResult].map(({ status = '' }) => status).join();
}

/** One that never ends blocks CDIM for everybody. A cancel of it is harmless while its worker lives: it is asked to stop. */
async function running(cdim: Cdim, apply: Apply, context: CallContext): Promise<OperationStatus> {
  const { applyID } = apply;
  const { config, pace } = cdim;
  if (pace.elapsedMs(applyID) < config.stuckSeconds * 1_000) return { tag: 'running', sign: signOf(apply) };
  const message = `apply ${applyID} is IN_PROGRESS for longer than ${config.stuckSeconds} s: if layout-apply's worker has died, cancel it`;
  if (!config.cancelStuck) return { tag: 'running', failure: { kind: 'Blocked', message } };
  const answer = await cdim.client.call(steerApply(cdim.places, applyID, 'cancel'), context);
  // The worker is alive and has been asked to stop, or the cancel has unblocked it: the next look tells.
  if (answer.tag === 'ok' || refusalIn(answer)?.code === 'E40028') return { tag: 'running' };
  return { tag: 'running', failure: failureOf('CDIM layout-apply cancel', answer) };
}

/** Where the worker has died on the way, no call of layout-apply ends it: seen of 0.1.1. */
function canceling({ config, pace }: Cdim, { applyID }: Apply): OperationStatus {
  if (pace.elapsedMs(applyID) < config.stuckSeconds * 1_000) return { tag: 'running' };
  const message = `apply ${applyID} is CANCELING for longer than ${config.stuckSeconds} s: layout-apply's worker has died, and nothing can be attached or detached until its row is set to FAILED in layout-apply's database`;
  return { tag: 'running', failure: { kind: 'Blocked', message } };
}

/** Failed: what the hardware refused did not happen; of what it did not answer nobody knows. */
function over(cdim: Cdim, apply: Apply, result: StepResult, target: OperationTarget<Notes>): OperationStatus {
  cdim.pace.end(apply.applyID);
  cdim.notebook.forgetApply(apply.applyID);
  const failure = failureIn(apply, result, target);
  if (result.tag !== 'refused') return { tag: 'unclear', failure };
  if (target.op === 'attach') cdim.notebook.refuse(target.cdiDeviceId);
  return { tag: 'undone', failure };
}

function canceled({ applyID, rollbackStatus }: Apply): OperationStatus {
  const message = `apply ${applyID} was canceled by somebody`;
  switch (rollbackStatus) {
    case 'IN_PROGRESS':
      return { tag: 'running' };
    case 'SUSPENDED': {
      const blocked = `the rollback of apply ${applyID} is suspended and blocks layout-apply: cancel or resume it`;
      return { tag: 'running', failure: { kind: 'Blocked', message: blocked } };
    }
    default:
      return { tag: 'unclear', failure: { kind: 'Unreachable', message } };
  }
}

/** Ours, and everybody waits for it: what a busy device stopped is tried again, all else is given up. */
async function decide(
  cdim: Cdim,
  apply: Apply,
  result: StepResult,
  target: OperationTarget<Notes>,
  context: CallContext,
): Promise<OperationStatus> {
  const { client, places, notebook } = cdim;
  const again = result.tag === 'refused' && result.mayPass && notebook.resume(apply.applyID) <= MOST_RESUMES;
  const action = again ? 'resume' : 'cancel';
  const answer = await client.call(steerApply(places, apply.applyID, action), context);
  if (answer.tag !== 'ok') return { tag: 'failed', failure: failureOf(`CDIM layout-apply ${action}`, answer) };
  return again ? { tag: 'running' } : over(cdim, apply, result, target);
}

function failureIn({ applyID }: Apply, result: StepResult, { op, cdiDeviceId }: OperationTarget<Notes>): Failure {
  const verb = op === 'attach' ? 'connect' : 'disconnect';
  const said = result.tag === 'none' ? 'it does not say why' : `${result.code}, '${result.message}'`;
  const message = `apply ${applyID} could not ${verb} device '${cdiDeviceId}': ${said}`;
  return { kind: result.tag === 'refused' ? 'Busy' : 'Unreachable', message };
}
