/** What stands where a secret was. */
export const REDACTED = '[redacted]';

/** Shorter values are left alone inside of other text: replacing them would make the text unreadable, and hide nothing. */
const SHORTEST_WITHIN = 4;

/** Values that must not reach a log, whatever text they are part of. */
export interface SecretRegistry {
  /** Registers a value for the life of the process: a rotated secret may still be in a late error text. */
  add(value: string): void;
  /** `text` without any registered value, as it is, URL-encoded or in base64. */
  redact(text: string): string;
}

/** An empty registry. */
export function secretRegistry(): SecretRegistry {
  const whole = new Set<string>();
  // Longest first, so that a secret that is part of another one does not leave the rest of it behind.
  let within: readonly string[] = [];
  return {
    add(value) {
      if (value === '' || whole.has(value)) return;
      whole.add(value);
      if (value.length < SHORTEST_WITHIN) return;
      const forms = [value, encodeURIComponent(value), Buffer.from(value).toString('base64')];
      within = [...new Set([...within, ...forms])].sort((a, b) => b.length - a.length);
    },
    redact(text) {
      if (whole.has(text)) return REDACTED;
      return within.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
    },
  };
}
