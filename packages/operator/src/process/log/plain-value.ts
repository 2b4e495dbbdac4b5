import { REDACTED, type SecretRegistry } from './secret-registry.ts';

/** Names of fields that hold secrets in this project's and in the fabrics' words. `secretName` is not one. */
const SECRET_NAME =
  /(password|passwd|secret|token|credentials?|authorization|cookie|api[-_]?key|private[-_]?key|assertion)$/i;

const MAX_DEPTH = 6;
const MAX_TEXT = 8192;
const MAX_ITEMS = 100;

/**
 * A copy of `value` that JSON can hold and a log may show: secrets redacted, errors with their causes, cycles and great
 * depth cut.
 */
export function plainValue(value: unknown, secrets: SecretRegistry): unknown {
  return copy(value, { secrets, above: [] });
}

/** Whether a field of this name is redacted whatever it holds. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

interface Walk {
  readonly secrets: SecretRegistry;
  /** The objects that this value is in. */
  readonly above: readonly object[];
}

function copy(value: unknown, walk: Walk): unknown {
  switch (typeof value) {
    case 'string':
      return text(value, walk);
    case 'bigint':
      return String(value);
    case 'function':
    case 'symbol':
      return `[${typeof value}]`;
    case 'object':
      return value === null ? null : copyObject(value, walk);
    case 'number':
    case 'boolean':
    case 'undefined':
      return value;
  }
}

function copyObject(value: object, walk: Walk): unknown {
  if (walk.above.includes(value)) return '[circular]';
  if (walk.above.length >= MAX_DEPTH) return '[too deep]';
  const below = { secrets: walk.secrets, above: [...walk.above, value] };
  if (value instanceof Error) return copyError(value, below);
  if (value instanceof Date) return Number.isNaN(value.valueOf()) ? 'invalid date' : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => copy(item, below));
  if (value instanceof Set) return copy([...value], walk);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return copyEntries(entries, below);
}

function copyEntries(entries: readonly (readonly [unknown, unknown])[], walk: Walk): Record<string, unknown> {
  return Object.fromEntries(
    entries.slice(0, MAX_ITEMS).map(([key, value]) => {
      const name = text(String(key), walk);
      return [name, isSecretName(name) && holdsSomething(value) ? REDACTED : copy(value, walk)];
    }),
  );
}

/** Numbers and switches are counts and options (`tokenCalls`, `hasSecret`), never the secret itself. */
function holdsSomething(value: unknown): boolean {
  return typeof value === 'object' ? value !== null : typeof value === 'string' && value !== '';
}

function copyError(error: Error, walk: Walk): Record<string, unknown> {
  const stack = error.stack ?? '';
  return {
    name: error.name,
    message: text(error.message, walk),
    ...('code' in error ? { code: copy(error.code, walk) } : {}),
    ...(stack === '' ? {} : { stack: text(stack, walk) }),
    ...(error.cause === undefined ? {} : { cause: copy(error.cause, walk) }),
    ...(error instanceof AggregateError ? { errors: copy(error.errors, walk) } : {}),
  };
}

/** Redacted before it is cut: half a secret would not be recognised any more. */
function text(value: string, { secrets }: Walk): string {
  const safe = secrets.redact(value);
  return safe.length > MAX_TEXT ? `${safe.slice(0, MAX_TEXT)}… (${safe.length} characters)` : safe;
}
