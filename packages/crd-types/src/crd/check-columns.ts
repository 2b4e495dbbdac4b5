import { CrdError } from './crd-error.ts';
import type { PrinterColumn } from './custom-resource-definition.ts';
import type { JsonSchemaProps } from './json-schema-props.ts';

/** Refuses a printer column whose path leads nowhere: `kubectl get` would show an empty column for ever. */
export function checkColumns(columns: readonly PrinterColumn[], root: JsonSchemaProps): void {
  for (const [index, column] of columns.entries()) {
    const path = `printerColumns[${index}].jsonPath`;
    if (!column.jsonPath.startsWith('.')) throw new CrdError(path, `must begin with a dot, found ${column.jsonPath}`);
    const fields = column.jsonPath.slice(1).split('.');
    // metadata is the API server's own, a filter or an index is beyond this check.
    if (fields[0] !== 'metadata' && !column.jsonPath.includes('[')) checkPath(fields, root, path);
  }
}

function checkPath(fields: readonly string[], root: JsonSchemaProps, path: string): void {
  let node = root;
  for (const field of fields) {
    const next = node.properties?.[field] ?? node.additionalProperties;
    if (next === undefined) throw new CrdError(path, `leads to no field of the schema: .${fields.join('.')}`);
    node = next;
  }
}
