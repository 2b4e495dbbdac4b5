import type { Clock } from '@cro/clock';
import type { Effect } from '../faults/effect.ts';
import type { FaultBook } from '../faults/fault-book.ts';
import { interrupt } from '../faults/interrupt.ts';
import { shapeReply } from '../faults/shape.ts';
import type { Call, Protocol } from './call.ts';
import type { CallLog } from './call-log.ts';
import { ConnectionLost, toResponse, type FabricCore, type Reply, type SimRequest, type SimResponse } from './http.ts';

/** What a core is made of. */
export interface CoreParts {
  readonly clock: Clock;
  readonly protocols: readonly Protocol[];
  readonly faults: FaultBook;
  readonly log: CallLog;
}

/** Ties protocols, faults and the call log together. */
export function createCore({ clock, protocols, faults, log }: CoreParts): FabricCore {
  return {
    async handle(request, signal) {
      signal.throwIfAborted();
      const call = route(protocols, request);
      const { kind, machine } = call;
      const end = log.begin({ kind, machine, method: request.method, path: request.path });
      const work = answer(clock, call, faults.take(kind, machine, request.path));
      try {
        const reply = await orHangUp(work, signal);
        end({ tag: 'answered', status: reply.status });
        return reply;
      } catch (error) {
        end({ tag: signal.aborted ? 'hungUp' : 'lost' });
        throw error;
      }
    },
  };
}

async function answer(clock: Clock, call: Call, effects: readonly Effect[]): Promise<SimResponse> {
  const early = await interrupt(clock, effects, 'beforeChange');
  if (early !== undefined) return toResponse(early);
  const reply = await call.perform(effects);
  const late = await interrupt(clock, effects, 'afterChange');
  return toResponse(late ?? shapeReply(reply, effects));
}

function route(protocols: readonly Protocol[], request: SimRequest): Call {
  const url = URL.parse(request.path, 'https://fabric.invalid');
  if (url === null) return otherwise(400, `the path ${JSON.stringify(request.path)} is not a path`);
  for (const protocol of protocols) {
    const call = protocol.route(request, url);
    if (call !== undefined) return call;
  }
  return otherwise(404, 'not found');
}

function otherwise(status: number, error: string): Call {
  const reply: Reply = { tag: 'json', status, body: { error } };
  return { kind: 'other', perform: () => reply };
}

/** Waits for the work, but not longer than the caller does. The work itself goes on. */
function orHangUp<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(signal.reason instanceof Error ? signal.reason : new Error('the client hung up'));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    work
      .finally(() => {
        signal.removeEventListener('abort', onAbort);
      })
      .then(resolve, (error: unknown) => {
        // Nobody waits any more: a lost reply is no news to them, but a bug of the simulator must not go unseen.
        if (signal.aborted && !(error instanceof ConnectionLost)) throw error;
        reject(error instanceof Error ? error : new Error(String(error)));
      });
  });
}
