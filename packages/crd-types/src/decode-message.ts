import type { ErrorObject } from 'ajv';
import { isRecord, quote } from './schema-value.ts';

/**
 * One line for the errors of one failed validation: the JSON path, what was found there and what is accepted. The
 * validator must run with `verbose`. Ajv reports the branches of a union before the union itself, so the last error is
 * the one that speaks of the whole field.
 */
export function decodeMessage(errors: readonly ErrorObject[] | null | undefined): string {
  const error = errors?.at(-1);
  if (error === undefined) return 'the value does not match its schema';
  const path = fieldPath(error.instancePath);
  if (error.keyword === 'required') {
    const name = String(error.params['missingProperty']);
    const field = property(error.parentSchema, name);
    return `${path === '' ? name : `${path}.${name}`}: found nothing, accepted: ${accepted(field)}`;
  }
  return `${path === '' ? 'the object' : path}: found ${quote(error.data)}, accepted: ${accepted(error.parentSchema)}`;
}

function property(schema: unknown, name: string): unknown {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return undefined;
  return schema['properties'][name];
}

/** `/spec/resource/size` as people write it: `spec.resource.size`. */
function fieldPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) =>
      /^[A-Za-z_][\w-]*$/.test(part) ? `.${part}` : `[${/^\d+$/.test(part) ? part : JSON.stringify(part)}]`,
    )
    .join('')
    .replace(/^\./, '');
}

const LIMITS: Readonly<Record<string, (limit: string) => string>> = {
  minimum: (limit) => `>= ${limit}`,
  maximum: (limit) => `<= ${limit}`,
  exclusiveMinimum: (limit) => `> ${limit}`,
  exclusiveMaximum: (limit) => `< ${limit}`,
  multipleOf: (limit) => `a multiple of ${limit}`,
  minLength: (limit) => `with at least ${limit} characters`,
  maxLength: (limit) => `with at most ${limit} characters`,
  minItems: (limit) => `with at least ${limit} items`,
  maxItems: (limit) => `with at most ${limit} items`,
  pattern: (limit) => `matching ${limit}`,
};

/** A schema in words: `integer >= 0`, `"gpu", "cxlmemory"`. */
function accepted(schema: unknown): string {
  if (!isRecord(schema)) return 'any value';
  if (Array.isArray(schema['anyOf'])) return schema['anyOf'].map(accepted).join(', ');
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(', ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  const limits = Object.entries(LIMITS).flatMap(([keyword, say]) =>
    schema[keyword] === undefined ? [] : [say(String(schema[keyword]))],
  );
  const type = typeof schema['type'] === 'string' ? schema['type'] : 'any value';
  return limits.length === 0 ? type : `${type} ${limits.join(', ')}`;
}
