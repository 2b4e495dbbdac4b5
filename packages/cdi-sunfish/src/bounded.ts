/** Runs `work` on each item, at most `atOnce` at a time. Answers in the order of the items. */
export async function bounded<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Map<number, R>();
  const left = items.entries();
  const worker = async () => {
    for (const [index, item] of left) results.set(index, await work(item));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}
