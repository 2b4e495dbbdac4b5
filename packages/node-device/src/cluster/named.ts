/** How many names a message holds. */
const MOST_NAMED = 3;

/** Names for a person, in an order that stays: a few, and how many more there are. */
export function named(names: readonly string[]): string {
  const sorted = names.toSorted();
  const rest = sorted.length - MOST_NAMED;
  return sorted.slice(0, MOST_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
