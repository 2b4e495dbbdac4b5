import type { Clock } from '@cro/clock';
import type { FaultBook } from '../faults/fault-book.ts';
import type { Lanes } from '../pool/lanes.ts';
import type { Gate } from './auth.ts';
import type { Entry } from './entry.ts';
import type { Etags } from './etags.ts';
import type { RedfishState } from './state.ts';
import type { TaskBook } from './tasks.ts';

/** What the simulated service works with. Durations answer milliseconds, drawn anew for each device. */
export interface RedfishContext {
  readonly clock: Clock;
  readonly lanes: Lanes;
  readonly faults: FaultBook;
  readonly state: RedfishState;
  readonly root: Entry;
  readonly gate: Gate;
  readonly etags: Etags;
  readonly tasks: TaskBook;
  readonly attachMs: () => number;
  readonly detachMs: () => number;
  /** `none`: no ETag is sent and If-Match is not looked at. `required`: a PATCH without If-Match gets 428. */
  readonly etagRule: 'none' | 'optional' | 'required';
  /** Changes are answered 202 with a task monitor. */
  readonly asynchronous: boolean;
}
