import type { Reply } from '../core/http.ts';
import { redfishError } from './errors.ts';
import { ROOT } from './uris.ts';

/** How a task may end without its change. */
export type TaskEnd = 'Exception' | 'Cancelled' | 'Killed';

type Task = { readonly tag: 'running' } | { readonly tag: 'over'; readonly reply: Reply };

const MONITORS = `${ROOT}/TaskService/TaskMonitors`;
/** Seconds that a client is told to wait. */
const RETRY_AFTER = '1';

/** Operations under way, and what became of them (DSP0266, "Asynchronous operations"). */
export class TaskBook {
  readonly #tasks = new Map<string, Task>();
  #count = 0;

  /** Starts a task for `work`; answers 202 with its monitor. */
  begin(work: Promise<Reply>): Reply {
    this.#count += 1;
    const monitor = `${MONITORS}/${this.#count}`;
    this.#tasks.set(monitor, { tag: 'running' });
    const over = (reply: Reply) => {
      if (this.#tasks.has(monitor)) this.#tasks.set(monitor, { tag: 'over', reply });
    };
    work.then(over, () => {
      over(redfishError(500, 'Base.1.18.InternalError', 'The task failed.'));
    });
    return running(monitor);
  }

  /** What a monitor answers: 202 while its task runs, then what the change itself would have answered. */
  look(monitor: string): Reply | undefined {
    const task = this.#tasks.get(monitor);
    if (task === undefined) return undefined;
    return task.tag === 'running' ? running(monitor) : task.reply;
  }

  /** Forgets every task, as a restarted service would. */
  forget(): void {
    this.#tasks.clear();
  }

  /** Whether a URI is that of a monitor. */
  static isMonitor(uri: string): boolean {
    return uri.startsWith(`${MONITORS}/`);
  }
}

function running(monitor: string): Reply {
  const body = {
    '@odata.type': '#Task.v1_7_4.Task',
    Id: monitor,
    Name: 'Task',
    TaskState: 'Running',
    PercentComplete: 50,
  };
  return { tag: 'json', status: 202, body, headers: { location: monitor, 'retry-after': RETRY_AFTER } };
}

/** The answer of a task that ended without its change. */
export function endedTask(state: TaskEnd): Reply {
  const body = {
    '@odata.type': '#Task.v1_7_4.Task',
    Name: 'Task',
    TaskState: state,
    TaskStatus: 'Critical',
    Messages: [{ MessageId: 'TaskEvent.1.0.TaskAborted', Message: `The task ended in state ${state}.` }],
  };
  return { tag: 'json', status: 200, body };
}
