import type { HttpRequest, HttpResponse } from '../../contract/host.ts';

/** When a fault strikes: before the request reaches the fabric, while it is on its way, or after the fabric has done it. */
export type Moment = 'before' | 'underWay' | 'after';

/**
 * What goes wrong with one request.
 *
 * - `crash`: the provider's process dies. `underWay`: the request arrives after that.
 * - `lose`: the connection breaks.
 * - `lateRequest`: the request reaches the fabric `ms` milliseconds later, whether or not somebody waits for the answer.
 * - `lateAnswer`: the answer comes `ms` milliseconds later.
 * - `hang`: the request never arrives, and there is no answer.
 * - `answer`: another answer than the fabric's, which is `real` where the fabric was asked.
 * - `twice`: something in between delivers the request twice; the provider gets the answer to that one.
 */
export type WireFault =
  | { readonly tag: 'crash'; readonly moment: Moment }
  | { readonly tag: 'lose'; readonly moment: Exclude<Moment, 'underWay'> }
  | { readonly tag: 'lateRequest' | 'lateAnswer'; readonly ms: number }
  | { readonly tag: 'hang' }
  | {
      readonly tag: 'answer';
      readonly moment: Exclude<Moment, 'underWay'>;
      readonly make: (request: HttpRequest, real: HttpResponse | undefined) => HttpResponse;
    }
  | { readonly tag: 'twice'; readonly answer: 'first' | 'second' };
