/** Resolves with the first of the signals that ask a process to stop. A second one ends it as usual. */
export function askedToStop(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
}
