import type { Http } from '@cro/cdi-core';

/** What went to a fabric. */
export interface Sent {
  /** Requests but those for a token. */
  readonly calls: number;
  /** The most that were under way at one time. */
  readonly atOnce: number;
  readonly bytes: number;
}

/** Counts what goes through an `Http`. `take` answers the counts so far and begins anew. */
export function counted(inner: Http): { readonly http: Http; readonly take: () => Sent } {
  const fresh = () => ({ calls: 0, atOnce: 0, bytes: 0 });
  let sent = fresh();
  let open = 0;
  return {
    http: {
      async send(request, signal) {
        if (request.method === 'GET') sent.calls += 1;
        sent.atOnce = Math.max(sent.atOnce, (open += 1));
        try {
          const response = await inner.send(request, signal);
          sent.bytes += response.body.length;
          return response;
        } finally {
          open -= 1;
        }
      },
    },
    take: () => {
      const so = sent;
      sent = fresh();
      return so;
    },
  };
}
