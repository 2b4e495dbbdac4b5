/** Does `work` for each item, at most `limit` at one time. Rejects with the first failure, after all that began has ended. */
export async function inParallel<T>(
  limit: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, worker));
  for (const one of ended) {
    if (one.status === 'rejected') throw one.reason;
  }
}
