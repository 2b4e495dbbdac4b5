import { decodeObject } from '../decode.ts';
import { parseJson, textField } from '../json.ts';
import type { Kind, KubeObject } from '../kind.ts';
import { errorOfAnswer, isFailedTest, type Answer } from './api-error.ts';
import type { ApiError, NotFound, ReadOutcome, WriteFailure, WriteOutcome } from './outcome.ts';
import type { Sent } from './request.ts';

/** The outcome of reading one object. */
export function readOutcome<T extends KubeObject>(kind: Kind<T>, sent: Sent): ReadOutcome<T> {
  if (sent.tag === 'noAnswer') return { tag: 'failed', error: sent.error };
  const { answer } = sent;
  if (answer.status === 404) return notFound(answer);
  if (!isSuccess(answer)) return { tag: 'failed', error: errorOfAnswer(answer) };
  const body = parseJson(answer.text);
  const decoded = body.tag === 'ok' ? decodeObject(kind, body.value) : body;
  if (decoded.tag === 'ok') return { tag: 'found', object: decoded.object };
  return { tag: 'failed', error: malformed(answer, decoded.message) };
}

/** The outcome of a create, replace or patch. `stored` is given what the server says that it stored. */
export function writeOutcome<T extends KubeObject>(
  kind: Kind<T>,
  sent: Sent,
  hasTest: boolean,
  stored: (body: unknown) => void,
): WriteOutcome<T> {
  if (sent.tag === 'answer' && isSuccess(sent.answer)) {
    const body = parseJson(sent.answer.text);
    if (body.tag === 'ok') stored(body.value);
    const decoded = body.tag === 'ok' ? decodeObject(kind, body.value) : body;
    if (decoded.tag === 'ok') return { tag: 'done', object: decoded.object };
    return { tag: 'unknown', error: malformed(sent.answer, decoded.message) };
  }
  if (sent.tag === 'answer' && sent.answer.status === 409) {
    const error = errorOfAnswer(sent.answer);
    return error.reason === 'AlreadyExists' ? { tag: 'alreadyExists' } : { tag: 'conflict', error };
  }
  if (sent.tag === 'answer' && hasTest && isFailedTest(sent.answer)) {
    return { tag: 'conflict', error: errorOfAnswer(sent.answer) };
  }
  return writeFailure(sent);
}

/** Sorts a write that was not acknowledged by what is certain about it. */
export function writeFailure(sent: Sent): WriteFailure {
  if (sent.tag === 'noAnswer') return { tag: 'unknown', error: sent.error };
  const error = errorOfAnswer(sent.answer);
  if (error.status === 404) return notFound(sent.answer);
  if (error.status === 409) return { tag: 'conflict', error };
  return error.status >= 400 && error.status < 500 ? { tag: 'refused', error } : { tag: 'unknown', error };
}

/** What kube-apiserver says of a path of a built-in group that it does not serve (apimachinery, NewGenericServerResponse). */
const NO_SUCH_RESOURCE = 'the server could not find the requested resource';

/** A missing object gets a Status that names it; a kind that is not served that text in a Status, or a page of text. */
function notFound(answer: Answer): NotFound {
  const body = parseJson(answer.text);
  const isStatus = body.tag === 'ok' && textField(body.value, 'kind') === 'Status';
  const isOfObject = isStatus && textField(body.value, 'message') !== NO_SUCH_RESOURCE;
  return isOfObject ? { tag: 'notFound' } : { tag: 'notFound', unserved: true };
}

/** True for a 2xx. */
export function isSuccess(answer: Answer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** The answer is not what the kind says. */
export function malformed(answer: Answer, message: string): ApiError {
  return { status: answer.status, reason: 'Malformed', message };
}
