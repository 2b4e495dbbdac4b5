const HIDDEN = '[redacted]';

/** Anything that looks like a JWT, a bearer header, or a secret field in JSON or in a form. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[\w-]{4,}(?:\.[\w-]+){1,2}/g, HIDDEN],
  [/\b(bearer)\s+[\w.~+/=-]+/gi, `$1 ${HIDDEN}`],
  [/("(?:password|client_secret|\w*token)"\s*:\s*")[^"]*/gi, `$1${HIDDEN}`],
  [/\b((?:password|client_secret|\w*token)=)[^&\s"]+/gi, `$1${HIDDEN}`],
];

/** A secret shorter than this is not searched for: replacing each `a` would hide the text and not the secret. */
const SHORTEST = 4;

/**
 * Takes secrets out of a text: the ones given, as they are and as a URL or JSON would write them, and whatever looks
 * like a token.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  const given = secrets
    .filter((secret) => secret.length >= SHORTEST)
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);
  const withoutGiven = given.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text);
  return PATTERNS.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), withoutGiven);
}
