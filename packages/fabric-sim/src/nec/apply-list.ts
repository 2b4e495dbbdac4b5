import type { Reply } from '../core/http.ts';
import { isDetail, recordBody } from './apply-bodies.ts';
import type { ApplyRecord } from './apply-record.ts';
import { applyError } from './errors.ts';

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:Z|[+-]\d{2}:\d{2})$/;
const WORDS: Readonly<Record<string, readonly string[]>> = {
  status: ['IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELING', 'CANCELED', 'SUSPENDED'],
  sortBy: ['startedAt', 'endedAt'],
  orderBy: ['asc', 'desc'],
};
const LEAST: Readonly<Record<string, number>> = { limit: 1, offset: 0 };
const BOUNDS = ['startedAtSince', 'startedAtUntil', 'endedAtSince', 'endedAtUntil'] as const;

/** GET /layout-apply: the history, filtered, ordered and cut. */
export function listApplies(records: readonly ApplyRecord[], query: URLSearchParams): Reply {
  const fields = query.getAll('fields');
  const wrong = wrongIn(query, fields);
  if (wrong !== undefined) return applyError(400, 'E40001', wrong);
  const limit = Number(query.get('limit') ?? 20);
  const offset = Number(query.get('offset') ?? 0);
  const found = records.filter((record) => fits(record, query));
  const key = query.get('sortBy') === 'endedAt' ? 'endedAt' : 'startedAt';
  const sign = query.get('orderBy') === 'asc' ? 1 : -1;
  const ordered = [...found].sort((a, b) => sign * compare(a[key] ?? '', b[key] ?? ''));
  const page = ordered.slice(offset, offset + limit).map((record) => recordBody(record, fields.filter(isDetail)));
  return { tag: 'json', status: 200, body: { totalCount: found.length, count: page.length, applyResults: page } };
}

function wrongIn(query: URLSearchParams, fields: readonly string[]): string | undefined {
  const field = fields.find((word) => !isDetail(word));
  if (field !== undefined) return `fields: '${field}' is not a field`;
  if (new Set(fields).size < fields.length) return `[${fields.join(', ')}] has non-unique elements`;
  for (const [name, words] of Object.entries(WORDS)) {
    const word = query.get(name);
    if (word !== null && !words.includes(word)) return `'${word}' is not one of [${words.join(', ')}]`;
  }
  const bound = BOUNDS.find((name) => query.has(name) && !TIME.test(query.get(name) ?? ''));
  if (bound !== undefined) return `${bound} is not a time`;
  for (const [name, least] of Object.entries(LEAST)) {
    const text = query.get(name);
    if (text !== null && !/^-?\d+$/.test(text)) return `${name} is not a number`;
    if (text !== null && Number(text) < least) return `${text} is less than the minimum of ${least}`;
  }
  return undefined;
}

function fits({ status, startedAt, endedAt }: ApplyRecord, query: URLSearchParams): boolean {
  const wanted = query.get('status');
  if (wanted !== null && wanted !== status) return false;
  return (
    within(startedAt, query.get('startedAtSince'), query.get('startedAtUntil')) &&
    within(endedAt, query.get('endedAtSince'), query.get('endedAtUntil'))
  );
}

function within(time: string | undefined, since: string | null, until: string | null): boolean {
  if (since === null && until === null) return true;
  if (time === undefined) return false;
  const at = Date.parse(time);
  return (since === null || at >= Date.parse(since)) && (until === null || at <= Date.parse(until));
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
