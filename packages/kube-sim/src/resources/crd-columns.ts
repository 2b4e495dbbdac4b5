import { isObject, type JsonObject, type JsonValue, listAt, numberAt, stringAt } from '../base/json.ts';
import { AGE_COLUMN, NAME_COLUMN } from './columns.ts';
import { age } from './duration.ts';
import { compileJsonPath } from './json-path.ts';
import type { Column } from './resource-type.ts';

/** The columns of one version of a CustomResourceDefinition: the name, then `additionalPrinterColumns` or the age. */
export function crdColumns(version: JsonObject): readonly Column[] {
  const declared = listAt(version, 'additionalPrinterColumns').filter(isObject);
  return [NAME_COLUMN, ...(declared.length === 0 ? [AGE_COLUMN] : declared.map(declaredColumn))];
}

function declaredColumn(source: JsonObject): Column {
  const type = stringAt(source, 'type') ?? 'string';
  const find = compileJsonPath(stringAt(source, 'jsonPath') ?? '');
  const format = stringAt(source, 'format');
  return {
    name: stringAt(source, 'name') ?? '',
    type,
    ...(format === undefined ? {} : { format }),
    description:
      stringAt(source, 'description') ??
      `Custom resource definition column (in JSONPath format): ${stringAt(source, 'jsonPath') ?? ''}`,
    priority: numberAt(source, 'priority') ?? 0,
    cell: (object, now) => cell(find(object)[0], type, now),
  };
}

/** A column of a date that holds none says so in another word than the age of an object. */
function ageOf(value: string, now: number): string {
  return Number.isNaN(Date.parse(value)) ? '<invalid>' : age(value, now);
}

/** As apiextensions-apiserver's table convertor: a value of another type than the column's shows nothing. */
function cell(value: JsonValue | undefined, type: string, now: number): JsonValue {
  if (value === undefined || value === null) return null;
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? ageOf(value, now) : null;
    default:
      return typeof value === 'string' ? value : JSON.stringify(value);
  }
}
