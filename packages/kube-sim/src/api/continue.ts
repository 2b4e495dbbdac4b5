import { numberAt, parseJson, stringAt } from '../base/json.ts';

/** Where a paged list goes on: after which key, in which version of the world. Version 0 is the newest. */
export interface Continue {
  readonly version: number;
  readonly after: string;
}

/** The token of a list's metadata. */
export function writeContinue(position: Continue): string {
  const token = { v: 'meta.k8s.io/v1', rv: position.version, start: position.after };
  return Buffer.from(JSON.stringify(token), 'utf8').toString('base64url');
}

/** Reads a token; undefined when it is none of ours. */
export function readContinue(token: string): Continue | undefined {
  const value = parseJson(Buffer.from(token, 'base64url').toString('utf8'));
  const version = numberAt(value, 'rv');
  const after = stringAt(value, 'start');
  return version === undefined || after === undefined ? undefined : { version, after };
}
