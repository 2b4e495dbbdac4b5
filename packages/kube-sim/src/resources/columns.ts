import { type JsonObject, type JsonValue, stringAt } from '../base/json.ts';
import { age } from './duration.ts';
import type { Column } from './resource-type.ts';

/** The first column of every table. */
export const NAME_COLUMN: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name must be unique within a namespace.',
  priority: 0,
  cell: (object) => stringAt(object, 'metadata', 'name') ?? '',
};

/** How long ago an object was created. */
export const AGE_COLUMN: Column = {
  name: 'Age',
  type: 'string',
  description: 'CreationTimestamp is the time when this object was created.',
  priority: 0,
  cell: (object, now) => age(stringAt(object, 'metadata', 'creationTimestamp'), now),
};

/** A column of text. `priority` 1 shows it with `-o wide` only. */
export function textColumn(name: string, cell: (object: JsonObject) => JsonValue | undefined, priority = 0): Column {
  return { name, type: 'string', priority, cell: (object) => cell(object) ?? '' };
}
