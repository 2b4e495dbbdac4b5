/**
 * The order of a list into which a strategic patch was merged, as k8s.io/apimachinery/pkg/util/strategicpatch has it: the
 * items of the patch in their order, and each other item before the first of them that it stood before.
 */
export function patchOrder<T>(
  merged: readonly T[],
  patch: readonly T[],
  original: readonly T[],
  isSame: (left: T, right: T) => boolean,
): readonly T[] {
  const placeOf = (list: readonly T[], item: T) => list.findIndex((other) => isSame(other, item));
  const changed = patch.flatMap((item) => merged.filter((other) => isSame(other, item)));
  const kept = merged.filter((item) => placeOf(patch, item) === -1);
  const result: T[] = [];
  for (const item of changed) {
    const place = placeOf(original, item);
    while (kept[0] !== undefined && place !== -1 && placeOf(original, kept[0]) < place)
      result.push(...kept.splice(0, 1));
    result.push(item);
  }
  return [...result, ...kept];
}
