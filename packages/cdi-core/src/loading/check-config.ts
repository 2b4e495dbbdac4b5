import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { cleanText } from '../text/clean-text.ts';

/** A configuration with its defaults filled in, or the one line that says what is wrong with it. */
export type CheckedConfig =
  { readonly tag: 'ok'; readonly config: unknown } | { readonly tag: 'failed'; readonly message: string };

/**
 * Checks a configuration against a definition's schema, and fills in the schema's defaults in a copy. A schema that is
 * none is told like a wrong configuration: it comes from outside too.
 */
export function checkConfig(schema: Readonly<Record<string, unknown>>, given: unknown): CheckedConfig {
  const ajv = new Ajv({ useDefaults: true, validateFormats: false, strictTypes: false, verbose: true });
  ajv.addVocabulary(['x-cro-secret']);
  let validate: ValidateFunction;
  try {
    validate = ajv.compile(schema);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown reason';
    return { tag: 'failed', message: `its configSchema cannot be used: ${cleanText(reason)}` };
  }
  const config: unknown = structuredClone(given);
  return validate(config) ? { tag: 'ok', config } : { tag: 'failed', message: describe(validate.errors?.[0]) };
}

/** The field, what was found and what is accepted. Values of secrets never stand in a configuration, so they can be quoted. */
function describe(error: ErrorObject | undefined): string {
  if (error === undefined) return 'it does not match the schema';
  const field = error.instancePath.slice(1).replaceAll('/', '.');
  const where = field === '' ? 'the configuration' : field;
  const accepted = cleanText(error.message ?? 'must match the schema');
  if (error.keyword === 'additionalProperties') {
    return `${where}: unknown field '${cleanText(String(error.params['additionalProperty']))}'`;
  }
  if (error.keyword === 'required') return `${where}: ${accepted}`;
  return `${where}: found ${quote(error.data)}, it ${accepted}`;
}

function quote(value: unknown): string {
  return value === undefined ? 'nothing' : cleanText(JSON.stringify(value), 80);
}
