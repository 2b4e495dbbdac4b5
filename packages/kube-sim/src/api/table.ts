import { defined, type JsonObject, type JsonValue, objectAt } from '../base/json.ts';
import type { Column, ResourceType } from '../resources/resource-type.ts';

/** How much of each object a table's rows carry: `?includeObject=`. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** A meta.k8s.io/v1 Table of `objects`. `metadata` is the list's. */
export function tableOf(
  type: ResourceType,
  objects: readonly JsonObject[],
  options: {
    readonly now: number;
    readonly include: IncludeObject;
    readonly metadata: JsonObject;
    readonly header: boolean;
  },
): JsonObject {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: options.metadata,
    columnDefinitions: options.header ? type.columns.map(definition) : null,
    rows: objects.map((object) => row(type, object, options.now, options.include)),
  };
}

/** The object's metadata alone. */
export function partialMetadata(object: JsonObject): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: objectAt(object, 'metadata') };
}

function definition(column: Column): JsonObject {
  return defined({
    name: column.name,
    type: column.type,
    format: column.format ?? '',
    description: column.description ?? '',
    priority: column.priority,
  });
}

function row(type: ResourceType, object: JsonObject, now: number, include: IncludeObject): JsonObject {
  const cells: JsonValue[] = type.columns.map((column) => column.cell(object, now));
  switch (include) {
    case 'None':
      return { cells, object: null };
    case 'Metadata':
      return { cells, object: partialMetadata(object) };
    case 'Object':
      return { cells, object };
  }
}
