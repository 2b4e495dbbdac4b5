import type { Call } from './call.ts';
import { notAcceptable, notAcceptableAtAll } from '../base/failures.ts';
import { type Result, success } from '../base/result.ts';

/** The form in which a client wants objects. */
export type Representation = 'object' | 'table' | 'metadata' | 'metadata-list';

/** Picks the first form of the Accept header that is made here. In front of built-in kinds (not `custom`) a router refuses first. */
export function representationOf(call: Call, custom: boolean): Result<Representation> {
  const accept = call.headers['accept'] ?? '';
  if (accept === '') return success('object');
  for (const part of accept.split(',')) {
    const form = formOf(part);
    if (form !== undefined) return success(form);
  }
  return accept.includes('as=') || custom ? notAcceptable() : notAcceptableAtAll();
}

function formOf(part: string): Representation | undefined {
  const [mediaType = '', ...parameters] = part.split(';').map((piece) => piece.trim());
  if (!['application/json', '*/*', 'application/*'].includes(mediaType)) return undefined;
  const values = new Map(parameters.map((parameter) => pair(parameter)));
  const as = values.get('as');
  if (as === undefined) return 'object';
  if (values.get('g') !== 'meta.k8s.io' || values.get('v') !== 'v1') return undefined;
  if (as === 'Table') return 'table';
  if (as === 'PartialObjectMetadata') return 'metadata';
  return as === 'PartialObjectMetadataList' ? 'metadata-list' : undefined;
}

function pair(parameter: string): readonly [string, string] {
  const mark = parameter.indexOf('=');
  return mark === -1 ? [parameter, ''] : [parameter.slice(0, mark), parameter.slice(mark + 1)];
}
