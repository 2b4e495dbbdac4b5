import type { Call } from './call.ts';
import type { ResourceType } from '../resources/resource-type.ts';
import { type Result, success } from '../base/result.ts';
import type { JsonObject } from '../base/json.ts';
import { apiVersionOf } from '../resources/resource-type.ts';
import { parseFieldSelector } from './field-selector.ts';
import { type Matcher, parseLabelSelector } from './label-selector.ts';

/** What a request is about: a collection, or one object in it. */
export interface Target {
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** What a request is about when it names an object. */
export interface NamedTarget extends Target {
  readonly name: string;
}

/** The keys of the target's collection begin with this. */
export function keyPrefix(target: Target): string {
  return target.type.namespaced && target.namespace !== undefined ? `${target.namespace}/` : '';
}

/** Both selectors of a request in one. */
export function selectorsOf(call: Call, target: Target): Result<Matcher> {
  const labels = parseLabelSelector(call.query.get('labelSelector') ?? '');
  if (!labels.ok) return labels;
  const fields = parseFieldSelector(call.query.get('fieldSelector') ?? '', target.type);
  if (!fields.ok) return fields;
  const name = target.name;
  return success(
    (object) => labels.value(object) && fields.value(object) && (name === undefined || nameIs(object, name)),
  );
}

function nameIs(object: JsonObject, name: string): boolean {
  const metadata = object['metadata'];
  return typeof metadata === 'object' && metadata !== null && 'name' in metadata && metadata['name'] === name;
}

/** The object as this version of its resource shows it. Versions differ in nothing but apiVersion. */
export function inVersion(object: JsonObject, type: ResourceType): JsonObject {
  const apiVersion = apiVersionOf(type);
  return object['apiVersion'] === apiVersion ? object : { ...object, apiVersion, kind: type.kind };
}
