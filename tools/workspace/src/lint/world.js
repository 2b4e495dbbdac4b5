import { builtinModules } from 'node:module';

/** Packages that do no I/O, know no time and draw no random number: a state and an input give the same answer always. */
export const PURE_PACKAGES = ['crd-types', 'state-machines', 'allocation-policy'];

const TAKE_A_CLOCK = 'Take a Clock (@cro/clock) as a parameter.';
const TAKE_RANDOM = 'Take `random: () => number` (or `newId: () => string`) as a parameter.';
const PURE = 'This package is pure: take what you need as a parameter.';

const globals = (names, message) => names.map((name) => ({ name, message }));
const properties = (object, names, message) => names.map((property) => ({ object, property, message }));

/** The present moment, written as `new Date()` or `Date()`. */
const presentMoment = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: TAKE_A_CLOCK },
  { selector: "CallExpression[callee.name='Date']", message: TAKE_A_CLOCK },
];

/** What is banned from every package: time and randomness that are not passed in. */
export const ambientWorld = {
  'no-restricted-globals': ['error', ...globals(['setTimeout', 'setInterval'], TAKE_A_CLOCK)],
  'no-restricted-properties': [
    'error',
    ...properties('Date', ['now'], TAKE_A_CLOCK),
    ...properties('performance', ['now', 'timeOrigin'], TAKE_A_CLOCK),
    ...properties('AbortSignal', ['timeout'], `Use startDeadline of @cro/clock. ${TAKE_A_CLOCK}`),
    ...properties('globalThis', ['setTimeout', 'setInterval', 'performance'], TAKE_A_CLOCK),
    ...properties('process', ['hrtime', 'uptime'], TAKE_A_CLOCK),
    ...properties('Math', ['random'], TAKE_RANDOM),
    ...properties('crypto', ['randomUUID'], TAKE_RANDOM),
  ],
  'no-restricted-imports': [
    'error',
    {
      paths: [
        { name: 'node:timers', message: TAKE_A_CLOCK },
        { name: 'node:timers/promises', message: TAKE_A_CLOCK },
        { name: 'node:perf_hooks', importNames: ['performance'], message: TAKE_A_CLOCK },
        { name: 'node:crypto', importNames: ['randomUUID', 'randomInt'], message: TAKE_RANDOM },
      ],
    },
  ],
  'no-restricted-syntax': ['error', ...presentMoment],
};

/** What is banned from the pure packages beyond that: I/O of any kind. `Date.parse` and `Date.UTC` stay: they only calculate. */
export const anyWorld = {
  'no-restricted-globals': [
    'error',
    ...globals(
      [
        'setTimeout',
        'setInterval',
        'setImmediate',
        'queueMicrotask',
        'performance',
        'fetch',
        'WebSocket',
        'EventSource',
      ],
      PURE,
    ),
    ...globals(['process', 'crypto', 'navigator', 'console', 'globalThis', 'global', 'require', 'Buffer'], PURE),
  ],
  'no-restricted-properties': ['error', ...properties('Math', ['random'], TAKE_RANDOM)],
  'no-restricted-imports': [
    'error',
    {
      patterns: [
        { group: ['node:*'], message: PURE },
        { group: builtinModules.flatMap((name) => [name, `${name}/*`]), message: PURE },
        { group: ['@cro/clock', '@cro/clock/*'], message: PURE },
      ],
    },
  ],
  'no-restricted-syntax': [
    'error',
    { selector: "NewExpression[callee.name='Date']", message: PURE },
    { selector: ":not(MemberExpression) > Identifier[name='Date']", message: PURE },
    { selector: "MemberExpression[object.name='Date']:not([property.name=/^(parse|UTC)$/])", message: PURE },
    { selector: 'ImportExpression', message: PURE },
    { selector: 'MetaProperty', message: PURE },
  ],
};
