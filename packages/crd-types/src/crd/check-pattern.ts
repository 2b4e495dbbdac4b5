import { CrdError } from './crd-error.ts';
import type { JsonSchemaProps } from './json-schema-props.ts';

/** Look-around and back-references: JavaScript has them, RE2, which the API server matches with, has not. */
const NOT_IN_RE2 = /\(\?<?[=!]|\\[1-9]|\\k<|\\u/;

/** Refuses a `pattern` that the API server's regular expressions cannot hold. */
export function checkPattern(node: JsonSchemaProps, path: string): void {
  if (node.pattern === undefined || !NOT_IN_RE2.test(node.pattern)) return;
  throw new CrdError(
    path,
    `the pattern ${node.pattern} uses look-around, back-references or \\u, which RE2 does not know`,
  );
}
