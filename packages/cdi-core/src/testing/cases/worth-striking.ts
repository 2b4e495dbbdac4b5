import type { HttpRequest } from '../../contract/host.ts';

/**
 * The numbers (from 1) of the requests that are worth an experiment: of the same request over and over, as when something is
 * waited for, the first two and the last.
 */
export function worthStriking(requests: readonly HttpRequest[]): readonly number[] {
  const keys = requests.map(({ method, url, body = '' }) => `${method} ${url} ${body}`);
  const lasts = new Map(keys.map((key, index) => [key, index]));
  const seen = new Map<string, number>();
  return keys.flatMap((key, index) => {
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    return times <= 2 || lasts.get(key) === index ? [index + 1] : [];
  });
}
