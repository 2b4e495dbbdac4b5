import { Ajv, type ValidateFunction } from 'ajv';
import type { Static, TSchema } from 'typebox';
import { decodeMessage } from './decode-message.ts';
import type { Decoded } from './decoded.ts';

/** Extensions of Kubernetes that a schema may carry and that say nothing about a single value. */
const KUBERNETES_KEYWORDS = [
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
];

/**
 * Makes the parser of a schema. It is compiled when it is first used, and once. Fields that the schema does not name
 * pass, formats are taken as the API server checked them, and the value itself is answered, not a copy.
 */
export function decoderOf<T extends TSchema>(schema: T): (value: unknown) => Decoded<Static<T>> {
  let validate: ValidateFunction<Static<T>> | undefined;
  return (value) => {
    validate ??= ajv().compile<Static<T>>(schema);
    if (validate(value)) return { tag: 'ok', object: value };
    return { tag: 'malformed', message: decodeMessage(validate.errors) };
  };
}

let shared: Ajv | undefined;

/**
 * One instance for all schemas, as each has a cost of its own. Schemas come from code, so they are not checked against the
 * meta-schema: compiling that one takes longer than all of ours, in one piece, while others wait.
 */
function ajv(): Ajv {
  if (shared === undefined) {
    shared = new Ajv({
      // Puts the value and its schema beside an error; it costs nothing while values are right.
      verbose: true,
      // To tidy up the code that it makes takes ajv a third of the time that compiling takes, and V8 does it anyway.
      code: { optimize: false },
      ...{ validateFormats: false, strictTypes: false, meta: false, validateSchema: false },
    });
    shared.addVocabulary(KUBERNETES_KEYWORDS);
  }
  return shared;
}
