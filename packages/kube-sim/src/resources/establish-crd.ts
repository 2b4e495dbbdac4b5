import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../base/json.ts';
import { timestamp } from '../base/sim-clock.ts';

/** Fills in what the API server fills in: names, the conversion, and that the names are taken and served. */
export function establishCrd(crd: JsonObject, now: number): JsonObject {
  const names = objectAt(crd, 'spec', 'names');
  const kind = stringAt(names, 'kind') ?? '';
  const accepted = { singular: kind.toLowerCase(), listKind: `${kind}List`, ...names };
  const storage = listAt(crd, 'spec', 'versions')
    .filter(isObject)
    .find((version) => version['storage'] === true);
  const known = listAt(crd, 'status', 'conditions');
  return {
    ...crd,
    spec: { conversion: { strategy: 'None' }, ...objectAt(crd, 'spec'), names: accepted },
    status: {
      ...objectAt(crd, 'status'),
      acceptedNames: accepted,
      storedVersions: [stringAt(storage, 'name') ?? ''],
      conditions:
        known.length > 0
          ? known
          : [condition('NamesAccepted', 'NoConflicts', now), condition('Established', 'InitialNamesAccepted', now)],
    },
  };
}

function condition(type: string, reason: string, now: number): JsonObject {
  const message = type === 'Established' ? 'the initial names have been accepted' : 'no conflicts found';
  return { type, status: 'True', reason, message, lastTransitionTime: timestamp(now) };
}
