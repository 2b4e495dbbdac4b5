import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { SecretRef } from '../contract/host.ts';
import { cleanText } from '../text/clean-text.ts';
import { SecretFields } from './secret-fields.ts';

/** A configuration with its defaults filled in and the Secrets that it refers to, or the one line that says what is wrong. */
export type CheckedConfig =
  | { readonly tag: 'ok'; readonly config: unknown; readonly secrets: readonly SecretRef[] }
  | { readonly tag: 'failed'; readonly message: string };

/**
 * Checks a configuration against a definition's schema (JSON Schema, draft-07), and fills in the schema's defaults in a
 * copy. A schema that is none is told like a wrong configuration: it comes from outside too.
 */
export function checkConfig(schema: Readonly<Record<string, unknown>>, given: unknown): CheckedConfig {
  const fields = new SecretFields();
  const compiled = compile(schema, fields);
  if (typeof compiled === 'string') return { tag: 'failed', message: `its configSchema cannot be used: ${compiled}` };
  const config: unknown = structuredClone(given);
  if (compiled(config)) return { tag: 'ok', config, secrets: fields.refs };
  return { tag: 'failed', message: describe(compiled.errors?.[0], fields) };
}

/** The compiled schema, or why it is none. */
function compile(schema: Readonly<Record<string, unknown>>, fields: SecretFields): ValidateFunction | string {
  // The answer of an asynchronous one would be a promise, which counts as true.
  if (schema['$async'] !== undefined) return '$async is not accepted';
  const ajv = new Ajv({ useDefaults: true, validateFormats: false, strictTypes: false, verbose: true, logger: false });
  fields.attachTo(ajv);
  try {
    return ajv.compile(schema);
  } catch (error) {
    return cleanText(error instanceof Error ? error.message : String(error));
  }
}

/** The field, what was found and what is accepted. What is marked as secret is not quoted: somebody may have put it there. */
function describe(error: ErrorObject | undefined, fields: SecretFields): string {
  if (error === undefined) return 'it does not match the schema';
  const { instancePath, keyword, params, data } = error;
  const field = instancePath.slice(1).replaceAll('/', '.');
  const where = field === '' ? 'the configuration' : cleanText(field);
  const accepted = cleanText(acceptedBy(error));
  if (keyword === 'additionalProperties') {
    return `${where}: unknown field '${cleanText(String(params['additionalProperty']))}'`;
  }
  if (keyword === 'required') return `${where}: ${accepted}`;
  const found = isSecret(error, fields) ? kindOf(data) : quote(data);
  return `${where}: found ${found}, it ${accepted}`;
}

function acceptedBy({ message = 'must match the schema', params }: ErrorObject): string {
  const allowed: unknown = params['allowedValues'] ?? params['allowedValue'];
  return allowed === undefined ? message : `${message}: ${JSON.stringify(allowed)}`;
}

function isSecret({ instancePath, parentSchema }: ErrorObject, fields: SecretFields): boolean {
  // A wrong type is found before the mark is looked at.
  return fields.covers(instancePath) || parentSchema?.['x-cro-secret'] === true;
}

/** A scalar as it is. Not what has fields, as one of these may be a secret. */
function quote(value: unknown): string {
  if (value === undefined || (typeof value === 'object' && value !== null)) return kindOf(value);
  return cleanText(JSON.stringify(value), 80);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return value === null ? 'null' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
