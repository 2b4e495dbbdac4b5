import { Ajv } from 'ajv';
import fc from 'fast-check';
import { Type, type TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { expect, test } from 'vitest';
import { toStructural } from '../src/crd.ts';
import {
  ComposabilityRequestSpec,
  ComposabilityRequestStatus,
  ComposableResourceSpec,
  ComposableResourceStatus,
  decoderOf,
} from '../src/index.ts';
import { schemas, valuesFor } from './arbitrary.ts';

/** What the API server would say: the generated schema, read by a validator that knows nothing of TypeBox. */
function accepts(schema: TSchema): (value: unknown) => boolean {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const validate = ajv.compile(toStructural(schema, 'spec'));
  return (value) => validate(value);
}

test('law: the generated schema and the parser accept exactly what the TypeBox schema accepts', () => {
  let accepted = 0;
  let refused = 0;
  fc.assert(
    fc.property(
      schemas(2).chain((schema) => fc.tuple(fc.constant(schema), fc.array(valuesFor(schema), { minLength: 5 }))),
      ([schema, values]) => {
        const generated = accepts(schema);
        const parse = decoderOf(schema);
        for (const value of values) {
          const right = Check(schema, value);
          expect(generated(value)).toBe(right);
          expect(parse(value).tag).toBe(right ? 'ok' : 'malformed');
          if (right) accepted += 1;
          else refused += 1;
        }
      },
    ),
    { numRuns: 150 },
  );
  // A law that holds because nothing was ever accepted, or refused, says nothing.
  expect(accepted).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(100);
});

test.each([
  ['request spec', ComposabilityRequestSpec],
  ['request status', ComposabilityRequestStatus],
  ['resource spec', ComposableResourceSpec],
  ['resource status', ComposableResourceStatus],
])('the manifest says what the types say: %s', (_name, schema) => {
  // The condition's reason and time have formats of their own: formats are the API server's to check.
  const generated = accepts(schema);
  fc.assert(
    fc.property(valuesFor(schema), (value) => {
      expect(generated(value)).toBe(Check(withoutFormats(schema), value));
    }),
    { numRuns: 300 },
  );
});

function withoutFormats(schema: TSchema): TSchema {
  return Type.Unsafe(
    JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === 'format' ? undefined : value))) as object,
  );
}
