import assert from 'node:assert/strict';

/** Control characters, line separators, and format characters such as the ones that turn the direction of writing. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Longest text that may leave a provider, in characters. */
const LONGEST = 1_024;

/**
 * Fails unless each text in what a provider said can stand in a log line, an event and an object as it is: printable, bounded,
 * and without a secret.
 */
export function assertPresentable(where: string, value: unknown, secrets: readonly string[]): void {
  if (typeof value === 'string') {
    for (const secret of secrets) assert(!value.includes(secret), `${where}: there is a secret in it`);
    const shown = JSON.stringify(value.slice(0, 200));
    assert(!UNPRINTABLE.test(value), `${where}: ${shown} is not printable: use cleanText`);
    assert(value.length <= LONGEST, `${where}: ${shown}... has ${value.length} characters: use cleanText`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, field] of Object.entries(value)) {
      assertPresentable(where, key, secrets);
      assertPresentable(`${where}.${key}`, field, secrets);
    }
  }
}

/** Fails unless a URL is one that nobody has led astray: no way up, no blanks or control characters, of bounded length. */
export function assertTamed(url: string): void {
  const shown = JSON.stringify(url.slice(0, 200));
  assert(url.length <= LONGEST, `${shown}... was asked for: a URL of ${url.length} characters`);
  assert(!/[\s\p{Cc}\p{Cf}]|\.\.|%2e%2e|%0[ad]|elsewhere\.invalid/iu.test(url), `${shown} was asked for`);
}
