import type { Call } from './call.ts';
import { notAcceptable } from '../base/failures.ts';
import { type Result, success } from '../base/result.ts';

/** The form in which a client wants objects. */
export type Representation = 'object' | 'table' | 'metadata';

/** Picks the first form of the Accept header that is made here. */
export function representationOf(call: Call): Result<Representation> {
  const accept = call.headers['accept'] ?? '';
  if (accept === '') return success('object');
  for (const part of accept.split(',')) {
    const form = formOf(part);
    if (form !== undefined) return success(form);
  }
  return notAcceptable('application/json');
}

function formOf(part: string): Representation | undefined {
  const [mediaType = '', ...parameters] = part.split(';').map((piece) => piece.trim());
  if (!['application/json', '*/*', 'application/*'].includes(mediaType)) return undefined;
  const values = new Map(parameters.map((parameter) => pair(parameter)));
  const as = values.get('as');
  if (as === undefined) return 'object';
  if (values.get('g') !== 'meta.k8s.io' || values.get('v') !== 'v1') return undefined;
  if (as === 'Table') return 'table';
  return as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList' ? 'metadata' : undefined;
}

function pair(parameter: string): readonly [string, string] {
  const mark = parameter.indexOf('=');
  return mark === -1 ? [parameter, ''] : [parameter.slice(0, mark), parameter.slice(mark + 1)];
}
