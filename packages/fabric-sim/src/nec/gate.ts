import type { Protocol } from '../core/call.ts';
import { headerOf, type Reply } from '../core/http.ts';

/** The gateway's word for a token that it does not take. */
const UNAUTHORIZED: Reply = { tag: 'json', status: 401, body: { message: 'Unauthorized' } };

/** Lets only calls with the present bearer token through to `inner`; all calls while there is none. */
export function gated(inner: Protocol, token: () => string | undefined): Protocol {
  return {
    route(request, url) {
      const call = inner.route(request, url);
      if (call === undefined) return undefined;
      const perform: typeof call.perform = (effects) => {
        const wanted = token();
        if (wanted === undefined || headerOf(request, 'authorization') === `Bearer ${wanted}`)
          return call.perform(effects);
        return UNAUTHORIZED;
      };
      return { ...call, perform };
    },
  };
}
