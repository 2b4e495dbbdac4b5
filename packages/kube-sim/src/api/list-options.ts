import type { FieldError } from '../base/field-error.ts';
import { badRequest, invalid } from '../base/failures.ts';
import { type Result, success } from '../base/result.ts';
import type { Call } from './call.ts';

/** The options of a list or a watch that have to fit together. */
export interface ListOptions {
  readonly continueToken: string;
  readonly limit: number;
  readonly timeoutSeconds: number;
  readonly resourceVersion: string;
  readonly match: string;
  readonly sendInitialEvents: boolean | undefined;
}

const PATH = 'resourceVersionMatch';

/** Reads and checks them (k8s.io/apimachinery/pkg/apis/meta/internalversion/validation). */
export function readListOptions(call: Call, isWatch: boolean): Result<ListOptions> {
  const text = (name: string) => call.query.get(name) ?? '';
  for (const name of ['limit', 'timeoutSeconds']) {
    const found = text(name);
    if (!/^[+-]?\d*$/u.test(found))
      return badRequest(`strconv.ParseInt: parsing ${JSON.stringify(found)}: invalid syntax`);
  }
  const initial = text('sendInitialEvents');
  const asked: ListOptions = {
    continueToken: text('continue'),
    limit: Number(text('limit')),
    timeoutSeconds: Number(text('timeoutSeconds')),
    resourceVersion: text('resourceVersion'),
    match: text(PATH),
    sendInitialEvents: initial === '' ? undefined : initial === 'true' || initial === '1',
  };
  const options = isWatch ? asWatchList(asked) : asked;
  const errors = isWatch ? checkWatch(options) : checkList(options);
  return errors.length === 0 ? success(options) : invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
}

/** A watch from no version, or from any, is one that begins with what is there. */
function asWatchList(options: ListOptions): ListOptions {
  const { sendInitialEvents, match, resourceVersion } = options;
  const isLegacy = sendInitialEvents === undefined && match === '' && ['', '0'].includes(resourceVersion);
  return isLegacy ? { ...options, sendInitialEvents: true, match: 'NotOlderThan' } : options;
}

function checkList({ match, resourceVersion, continueToken, sendInitialEvents }: ListOptions): readonly FieldError[] {
  const errors: FieldError[] = [];
  const forbid = (path: string, detail: string) => errors.push({ tag: 'forbidden', path, detail });
  if (match !== '') {
    if (resourceVersion === '') forbid(PATH, 'resourceVersionMatch is forbidden unless resourceVersion is provided');
    if (continueToken !== '') forbid(PATH, 'resourceVersionMatch is forbidden when continue is provided');
    const supported = ['Exact', 'NotOlderThan', ''];
    if (!supported.includes(match)) errors.push({ tag: 'unsupported', path: PATH, value: match, supported });
    if (match === 'Exact' && resourceVersion === '0')
      forbid(PATH, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
  if (sendInitialEvents !== undefined) forbid('sendInitialEvents', 'sendInitialEvents is forbidden for list');
  return errors;
}

function checkWatch({ match, continueToken, sendInitialEvents }: ListOptions): readonly FieldError[] {
  const errors: FieldError[] = [];
  const forbid = (detail: string) => errors.push({ tag: 'forbidden', path: PATH, detail });
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan')
    forbid('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  if (match === '') return errors;
  if (sendInitialEvents === undefined)
    forbid('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
  const supported = ['NotOlderThan'];
  if (match !== 'NotOlderThan') errors.push({ tag: 'unsupported', path: PATH, value: match, supported });
  if (continueToken !== '') forbid('resourceVersionMatch is forbidden when continue is provided');
  return errors;
}
