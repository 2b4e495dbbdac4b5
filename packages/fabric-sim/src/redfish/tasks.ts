import type { Reply, SimRequest } from '../core/http.ts';
import { collection, ref, resource, type Entry } from './entry.ts';
import { redfishError } from './errors.ts';
import { ROOT } from './uris.ts';

/** How a task may end without its change. */
export type TaskEnd = 'Exception' | 'Cancelled' | 'Killed';

interface Task {
  /** The request that it carries out. */
  readonly request: SimRequest;
  /** Set when it is over. */
  reply: Reply | undefined;
}

const SERVICE = `${ROOT}/TaskService`;
const TASKS = `${SERVICE}/Tasks`;
const MONITORS = `${SERVICE}/TaskMonitors`;
/** Seconds that a client is told to wait. */
const RETRY_AFTER = '1';

/** Operations under way, and what became of them (DSP0266, "Asynchronous operations"). */
export class TaskBook {
  readonly #tasks = new Map<string, Task>();
  #count = 0;

  /** Starts a task for `work`; answers 202 with its monitor. */
  begin(request: SimRequest, work: Promise<Reply>): Reply {
    this.#count += 1;
    const id = String(this.#count);
    const task: Task = { request, reply: undefined };
    this.#tasks.set(id, task);
    const over = (reply: Reply) => {
      task.reply = reply;
    };
    work.then(over, () => {
      over(redfishError(500, 'Base.1.18.InternalError', 'The task failed.'));
    });
    return running(id);
  }

  /** What a monitor answers: 202 while its task runs, then what the change itself would have answered. */
  look(monitor: string): Reply | undefined {
    const id = monitor.slice(MONITORS.length + 1);
    const task = this.#tasks.get(id);
    return task === undefined ? undefined : (task.reply ?? running(id));
  }

  /** The task service. */
  entry(): Entry {
    const tasks = collection(
      TASKS,
      'Task',
      () => [...this.#tasks.keys()],
      (id) => {
        const task = this.#tasks.get(id);
        return task === undefined ? undefined : resource(`${TASKS}/${id}`, 'Task.v1_7_4.Task', bodyOf(id, task));
      },
    );
    return resource(SERVICE, 'TaskService.v1_2_1.TaskService', { ServiceEnabled: true, Tasks: ref(TASKS) }, [tasks]);
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

function bodyOf(id: string, { request, reply }: Task) {
  const { method, path, body } = request;
  return {
    TaskState: reply === undefined ? 'Running' : 'Completed',
    TaskMonitor: `${MONITORS}/${id}`,
    Payload: { HttpOperation: method, TargetUri: path, ...(body === undefined ? {} : { JsonBody: body }) },
  };
}

function running(id: string): Reply {
  const monitor = `${MONITORS}/${id}`;
  const body = { '@odata.id': `${TASKS}/${id}`, '@odata.type': '#Task.v1_7_4.Task', Id: id, TaskState: 'Running' };
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
