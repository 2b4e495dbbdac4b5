/** A way to the outside: the API server's transport, the fabric's HTTP. */
interface Way<Request, Answer> {
  send(request: Request, signal: AbortSignal): Promise<Answer>;
}

/**
 * Sends nothing more once the lease is not certainly held. The signal that ends a leader comes by a timer, and a process
 * that was stopped and goes on may get to its other timers and to answers that have waited for it first.
 */
export function whileLeading<Request, Answer>(way: Way<Request, Answer>, leading: () => boolean): Way<Request, Answer> {
  return {
    // Rejects, and does not throw, as every way does.
    async send(request, signal) {
      if (!leading()) throw new Error('the lease is not certainly held any more: nothing is sent');
      return way.send(request, signal);
    },
  };
}
