import type { TokenOutcome } from './token-source.ts';

/** Waits for a token no longer than the signal allows. The request for it goes on: it is for everybody who waits. */
export function unlessAborted(asking: Promise<TokenOutcome>, signal: AbortSignal): Promise<TokenOutcome> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      const message = 'unable to rotate token: stopped before there was an answer';
      resolve({ tag: 'failed', failure: { kind: 'Unreachable', message } });
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    void asking.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', onAbort);
    });
  });
}
