import { isObject, parseJson, textField } from '../json.ts';
import { errorOfAnswer, type Answer } from './api-error.ts';
import { isSuccess, malformed } from './classify.ts';
import type { ApiError } from './outcome.ts';
import { sendWithin, type Sending } from './request.ts';

/** The versions in which a resource is served, in the server's order of preference; none when it is not served at all. */
export type ServedOutcome =
  { readonly tag: 'read'; readonly versions: readonly string[] } | { readonly tag: 'failed'; readonly error: ApiError };

/** The version of the server: `minor` is 34 for Kubernetes 1.34. */
export type ServerVersionOutcome =
  | { readonly tag: 'read'; readonly major: number; readonly minor: number }
  | { readonly tag: 'failed'; readonly error: ApiError };

/** The part of a kind that discovery is asked for. */
export interface ResourceName {
  readonly group: string;
  readonly plural: string;
}

type Document =
  { readonly tag: 'read'; readonly value: unknown } | { readonly tag: 'failed'; readonly error: ApiError };

/**
 * Reads `/apis/<group>` (meta/v1 `APIGroup`) and the `APIResourceList` of each of its versions: a few small documents,
 * where the aggregated document holds every resource of the cluster.
 */
export async function readServedVersions(sending: Sending, { group, plural }: ResourceName): Promise<ServedOutcome> {
  const path = `/apis/${encodeURIComponent(group)}`;
  const found = await readDocument(sending, path);
  if (found.tag === 'failed') return found;
  const versions: string[] = [];
  for (const version of listOf(found.value, 'versions').flatMap((one) => textField(one, 'version') ?? [])) {
    const resources = await readDocument(sending, `${path}/${encodeURIComponent(version)}`);
    if (resources.tag === 'failed') return resources;
    if (listOf(resources.value, 'resources').some((one) => textField(one, 'name') === plural)) versions.push(version);
  }
  return { tag: 'read', versions };
}

/** Reads `/version`. */
export async function readServerVersion(sending: Sending): Promise<ServerVersionOutcome> {
  const found = await readDocument(sending, '/version');
  if (found.tag === 'failed') return found;
  // Some distributions write `34+`.
  const [major, minor] = ['major', 'minor'].map((name) => Number.parseInt(textField(found.value, name) ?? '', 10));
  if (major === undefined || minor === undefined || Number.isNaN(major) || Number.isNaN(minor)) {
    const message = '/version: major and minor must be texts that begin with a number';
    return { tag: 'failed', error: { status: 200, reason: 'Malformed', message } };
  }
  return { tag: 'read', major, minor };
}

/** A document that is not there is an empty one: the group, or the version, is not served. */
async function readDocument(sending: Sending, path: string): Promise<Document> {
  const sent = await sendWithin(sending, { method: 'GET', path });
  if (sent.tag === 'noAnswer') return { tag: 'failed', error: sent.error };
  const { answer } = sent;
  if (answer.status === 404) return { tag: 'read', value: {} };
  if (!isSuccess(answer)) return { tag: 'failed', error: errorOfAnswer(answer) };
  return parsed(answer, path);
}

function parsed(answer: Answer, path: string): Document {
  const body = parseJson(answer.text);
  if (body.tag === 'ok') return { tag: 'read', value: body.value };
  return { tag: 'failed', error: malformed(answer, `${path}: ${body.message}`) };
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = isObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
}
