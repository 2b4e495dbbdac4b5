import { ConnectionCut, type SimRequest, type SimResponse } from '../base/http.ts';
import { type Call, toCall } from '../api/call.ts';
import { route, targetOf } from '../api/route.ts';
import type { World } from '../api/world.ts';
import { documents } from '../discovery/documents.ts';
import type { Faults } from '../faults/faults.ts';
import { suffer } from '../faults/suffer.ts';
import { describeCall } from './describe-call.ts';
import type { Observer } from './observer.ts';

/** Answers a request. Throws ConnectionCut where a fault breaks the connection. */
export type Handle = (request: SimRequest, signal: AbortSignal) => Promise<SimResponse>;

/** Puts together the server's core: faults, documents, resources, and the observers who are told of each request. */
export function createHandler(world: World, faults: Faults, observers: ReadonlySet<Observer>): Handle {
  return async (request, signal) => {
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
      const response = spoiled ?? (await answer(world, call));
      const final = (await suffer(after, world.clock, signal)) ?? response;
      tell(final.status);
      return final;
    } catch (error) {
      if (error instanceof ConnectionCut) tell(undefined);
      throw error;
    }
  };
}

function answer(world: World, call: Call): Promise<SimResponse> {
  const document = call.method === 'GET' ? documents(world.registry, call) : undefined;
  return document === undefined ? route(world, call) : Promise.resolve(document);
}
