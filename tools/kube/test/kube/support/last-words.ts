import { afterEach } from 'vitest';

/** Tells what somebody did last. */
export type LastWords = () => string;

const present = new Set<LastWords>();
const gone = new Set<LastWords>();

/** When a test fails from now on, this is printed. The result ends that with the test that runs. */
export function onFailure(tell: LastWords): () => void {
  present.add(tell);
  return () => gone.add(tell);
}

/** Prints, after each test that failed, the last words of all who took part in it: on a machine of CI nothing else is left. */
export function printLastWords(): void {
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') for (const tell of present) console.error(tell());
    for (const tell of gone) present.delete(tell);
    gone.clear();
  });
}
