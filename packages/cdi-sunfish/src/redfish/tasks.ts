import { cleanText, type CallContext, type OperationStatus } from '@cro/cdi-core';
import type { MonitorAnswer, RedfishService } from './service.ts';

const ENDED_BADLY = new Set(['Exception', 'Killed', 'Cancelled']);
const RUNNING = new Set([
  'New',
  'Starting',
  'Running',
  'Suspended',
  'Interrupted',
  'Pending',
  'Stopping',
  'Service',
  'Cancelling',
]);

/** Asks how far a task is: one call (DSP0266, "Asynchronous operations"). */
export async function pollTask(
  service: RedfishService,
  monitor: string,
  context: CallContext,
): Promise<OperationStatus> {
  const answer = await service.monitor(monitor, context);
  switch (answer.tag) {
    case 'gone':
      return { tag: 'gone' };
    case 'failed':
      return answer;
    case 'refused':
      return { tag: 'undone', failure: answer.failure };
    case 'answered':
      return answer.status === 202 ? running(answer) : statusOf(monitor, answer);
    default:
      return answer satisfies never;
  }
}

type Answered = Extract<MonitorAnswer, { tag: 'answered' }>;

function running({ task, retryAfterMs }: Answered): OperationStatus {
  const sign = `${task.TaskState ?? ''} ${task.PercentComplete ?? ''}`;
  return { tag: 'running', sign, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** A monitor that is over answers with what the change brought about; some services answer with the task all along. */
function statusOf(monitor: string, answer: Answered): OperationStatus {
  const { TaskState: state, Messages: messages } = answer.task;
  if (state === undefined || state === 'Completed') return { tag: 'ended' };
  if (isRunning(state)) return running(answer);
  const why = cleanText(messages?.at(-1)?.Message ?? '');
  const message = `Redfish task ${cleanText(monitor)}: ended in state ${cleanText(state, 32)}${why === '' ? '' : `: ${why}`}`;
  return { tag: ENDED_BADLY.has(state) ? 'undone' : 'unclear', failure: { kind: 'Busy', message } };
}

/** Whether a task in that state may still change something. */
export function isRunning(state: string | undefined): boolean {
  return state !== undefined && RUNNING.has(state);
}
