import { fieldAt } from '../support/kinds.ts';
import type { Answered } from './conversation.ts';

/** Where two servers answered the same requests in different ways: one line for each value that differs. */
export function differences(ours: readonly Answered[], theirs: readonly Answered[]): readonly string[] {
  const count = Math.max(ours.length, theirs.length);
  return Array.from({ length: count }, (_, index) => {
    const lines = compareAnswers(ours[index], theirs[index]);
    if (lines.length === 0) return [];
    const asked = theirs[index]?.asked ?? ours[index]?.asked ?? '';
    return [`${String(index + 1)}. ${shortened(asked, 0)}`, ...lines.map((line) => `     ${line}`)];
  }).flat();
}

/** Of answers with different statuses the rest differs as well, and would hide why. */
function compareAnswers(ours: Answered | undefined, theirs: Answered | undefined): readonly string[] {
  if (ours?.status === theirs?.status) return compare('', ours, theirs);
  return compare('', gist(ours), gist(theirs));
}

function gist(answer: Answered | undefined): string {
  const body = fieldAt(answer, 'body');
  return `${String(answer?.status)} ${text(fieldAt(body, 'message') ?? body)}`;
}

function compare(path: string, ours: unknown, theirs: unknown): readonly string[] {
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    const count = Math.max(ours.length, theirs.length);
    return Array.from({ length: count }, (_, n) => compare(`${path}[${String(n)}]`, ours[n], theirs[n])).flat();
  }
  if (isRecord(ours) && isRecord(theirs)) {
    const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
    return keys.flatMap((key) => compare(path === '' ? key : `${path}.${key}`, ours[key], theirs[key]));
  }
  if (ours === theirs) return [];
  const [left, right] = [text(ours), text(theirs)];
  const from = commonLength(left, right);
  return [
    `${path} kube-sim: ${shortened(left, from)}`,
    `${' '.repeat(path.length)} the real: ${shortened(right, from)}`,
  ];
}

function text(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

function commonLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}

/** A long text from a little before `from`. */
function shortened(value: string, from: number): string {
  const start = from > 100 ? from - 60 : 0;
  const part = value.slice(start, start + 400);
  return `${start > 0 ? '…' : ''}${part}${start + 400 < value.length ? '…' : ''}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
