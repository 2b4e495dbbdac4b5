import { ConnectionCut, type SimRequest, type SimResponse } from '../base/http.ts';
import { type Call, toCall } from '../api/call.ts';
import { targetOf } from '../api/route.ts';
import type { World } from '../api/world.ts';
import type { Faults } from '../faults/faults.ts';
import { suffer } from '../faults/suffer.ts';
import { describeCall } from './describe-call.ts';
import type { Observer } from './observer.ts';

/** Answers a request by `answer`, with the faults that strike it, and tells the observers. Throws ConnectionCut. */
export type Attend = (
  request: SimRequest,
  signal: AbortSignal,
  answer: (call: Call) => Promise<SimResponse>,
) => Promise<SimResponse>;

/** Puts faults and observers around the answering of requests. */
export function createAttend(world: World, faults: Faults, observers: ReadonlySet<Observer>): Attend {
  return async (request, signal, answer) => {
    const call = toCall(request, signal);
    const facts = describeCall(call, request.path, targetOf(world, call));
    const started = world.clock.monotonic();
    const tell = (status: number | undefined) => {
      const seen = { ...facts, status, durationMs: world.clock.monotonic() - started };
      for (const observer of observers) observer(seen);
    };
    const { before, after } = faults.strike(facts);
    try {
      const spoiled = await suffer(before, world.clock, signal);
      const response = spoiled ?? (await answer(call));
      const final = (await suffer(after, world.clock, signal)) ?? response;
      tell(final.status);
      return final;
    } catch (error) {
      if (error instanceof ConnectionCut) tell(undefined);
      throw error;
    }
  };
}
