import { vi } from 'vitest';

/** Waits until the assertion holds. On a busy machine, real threads and sockets take their time. */
export function soon(assertion: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(assertion, { timeout: 15_000, interval: 5 });
}
