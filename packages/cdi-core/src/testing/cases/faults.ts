import type { HttpRequest, HttpResponse } from '../../contract/host.ts';
import type { Provider } from '../../contract/provider.ts';
import type { Moment, WireFault } from '../wire/fault.ts';

/** How long a provider waits. */
export type Bounds = Pick<Provider, 'settleSeconds' | 'timeouts'>;

/** A fault with its name in the report. */
export interface NamedFault {
  readonly name: string;
  readonly tag: WireFault['tag'];
  readonly make: (bounds: Bounds) => WireFault;
}

const crashNames: Readonly<Record<Moment, string>> = {
  before: 'a crash before the request leaves',
  underWay: 'a crash while the request is on its way',
  after: 'a crash before the answer is read',
};

const crashes = (['before', 'underWay', 'after'] as const).map((moment): NamedFault => ({
  name: crashNames[moment],
  tag: 'crash',
  make: () => ({ tag: 'crash', moment }),
}));

const losses: readonly NamedFault[] = [
  { name: 'a request that is lost', tag: 'lose', make: () => ({ tag: 'lose', moment: 'before' }) },
  { name: 'an answer that is lost', tag: 'lose', make: () => ({ tag: 'lose', moment: 'after' }) },
];

/** Longer than a provider waits for a change, and shorter than its settle window. */
function tooLate({ settleSeconds, timeouts }: Bounds): number {
  const settleMs = settleSeconds * 1_000;
  return settleMs > timeouts.mutate ? (settleMs + timeouts.mutate) / 2 : timeouts.mutate + 1_000;
}

const delays: readonly NamedFault[] = [
  {
    name: 'a request that arrives when nobody waits for its answer any more',
    tag: 'lateRequest',
    make: (bounds) => ({ tag: 'lateRequest', ms: tooLate(bounds) }),
  },
  {
    name: 'an answer that comes when nobody waits for it any more',
    tag: 'lateAnswer',
    make: (bounds) => ({ tag: 'lateAnswer', ms: tooLate(bounds) }),
  },
  { name: 'a slow answer', tag: 'lateAnswer', make: () => ({ tag: 'lateAnswer', ms: 3_000 }) },
];

const duplicates: readonly NamedFault[] = [
  { name: 'a request that arrives twice', tag: 'twice', make: () => ({ tag: 'twice', answer: 'first' }) },
  {
    name: 'a request that arrives twice, with the answer to the second',
    tag: 'twice',
    make: () => ({ tag: 'twice', answer: 'second' }),
  },
];

const html = { 'content-type': 'text/html' };
const json = { 'content-type': 'application/json' };

/** Answers that something between provider and fabric could give, whatever the fabric has done. */
const wrongAnswers: Readonly<Record<string, (real?: HttpResponse) => HttpResponse>> = {
  'an answer that is a page of HTML': () => ({ status: 200, headers: html, body: '<html><body>Welcome</body></html>' }),
  'an answer without a body': () => ({ status: 200, headers: {}, body: '' }),
  'an answer that is an empty object': () => ({ status: 200, headers: json, body: '{}' }),
  'an answer that is null': () => ({ status: 200, headers: json, body: 'null' }),
  'an answer that is cut off': (real) => ({
    status: 200,
    headers: json,
    body: real === undefined ? '{"' : real.body.slice(0, Math.floor(real.body.length / 2)),
  }),
  'an answer that leads elsewhere': () => ({
    status: 302,
    headers: { location: 'https://elsewhere.invalid/' },
    body: '',
  }),
  'an answer of a broken gateway': () => ({ status: 502, headers: html, body: '<html>Bad Gateway</html>' }),
};

const wrong = Object.entries(wrongAnswers).map(([name, answer]): NamedFault => ({
  name,
  tag: 'answer',
  make: () => ({ tag: 'answer', moment: 'after', make: (_: HttpRequest, real) => answer(real) }),
}));

/** Answers that say that nothing was done, and nothing was. */
const refusals: readonly NamedFault[] = [
  {
    name: 'an answer of 401',
    tag: 'answer',
    make: () => ({ tag: 'answer', moment: 'before', make: () => ({ status: 401, headers: json, body: '{}' }) }),
  },
  {
    name: 'an answer of 503 with a Retry-After',
    tag: 'answer',
    make: () => ({
      tag: 'answer',
      moment: 'before',
      make: () => ({ status: 503, headers: { ...json, 'retry-after': '2' }, body: '{}' }),
    }),
  },
];

/** Everything that may go wrong with one request. */
export const faults: readonly NamedFault[] = [...crashes, ...losses, ...delays, ...duplicates, ...wrong, ...refusals];
