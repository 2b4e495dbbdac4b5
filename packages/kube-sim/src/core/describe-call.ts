import { groupResource } from '../base/failures.ts';
import { type Call, flag, isDryRun } from '../api/call.ts';
import type { Target } from '../api/target.ts';
import type { SeenRequest, Verb } from './observer.ts';

const WRITES: ReadonlySet<Verb> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** What is known of a request before it is answered. */
export type RequestFacts = Omit<SeenRequest, 'status' | 'durationMs'>;

/** Says what a request is. */
export function describeCall(call: Call, path: string, target: Target | undefined): RequestFacts {
  const verb = target === undefined ? 'other' : verbOf(call, target);
  return {
    method: call.method,
    path,
    userAgent: call.headers['user-agent'] ?? '',
    verb,
    resource: target === undefined ? undefined : groupResource(target.type),
    namespace: target?.namespace,
    name: target?.name,
    subresource: target?.subresource,
    isWrite: WRITES.has(verb) && !isDryRun(call) && target?.subresource !== 'exec',
  };
}

function verbOf(call: Call, target: Target): Verb {
  switch (call.method) {
    case 'GET':
      if (flag(call, 'watch')) return 'watch';
      return target.name === undefined ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return target.name === undefined ? 'deletecollection' : 'delete';
    default:
      return 'other';
  }
}
