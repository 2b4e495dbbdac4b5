import { type JsonObject, stringsAt } from '../base/json.ts';
import type { ResourceType } from '../resources/resource-type.ts';
import { qualifiedNameFaults } from '../base/names.ts';

/** Finalizers of Kubernetes itself, which need no domain. */
const STANDARD: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/** What the server says of new finalizers of a custom object whose names could be those of others too. */
export function finalizerWarnings(
  type: ResourceType,
  object: JsonObject,
  previous: JsonObject | undefined,
): readonly string[] {
  if (!type.custom) return [];
  const before = stringsAt(previous, 'metadata', 'finalizers');
  const added = stringsAt(object, 'metadata', 'finalizers').filter((name) => !before.includes(name));
  return [...new Set(added)].sort().flatMap((name) => {
    const advice = name.includes('/') || STANDARD.has(name) ? [] : [adviceFor(name)];
    return [...qualifiedNameFaults(name), ...advice].map(
      (text) => `metadata.finalizers: ${JSON.stringify(name)}: ${text}`,
    );
  });
}

function adviceFor(name: string): string {
  const path = name.includes('.') ? ' including a path (/)' : '';
  return `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
}
