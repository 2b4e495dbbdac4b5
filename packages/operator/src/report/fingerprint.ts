import { hash } from 'node:crypto';

/**
 * A short text that is the same for equal JSON values, and different for others. One is kept for each object at rest, of
 * which there may be 100,000: the values themselves would take ten times the memory.
 */
export function fingerprint(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64');
}
