import type { Ajv } from 'ajv';
import type { SecretRef } from '../contract/host.ts';
import { isRecord } from './is-record.ts';

/** The mark of a field that refers to a key of a Secret. */
const MARK = 'x-cro-secret';

/** Names as the API server takes them: they reach selectors and URLs. */
const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
const KEY = /^[-._a-zA-Z0-9]{1,253}$/;

/**
 * The fields of one configuration that are marked as secret, wherever the schema has them: below lists, references and
 * alternatives too. They are found while the configuration is validated.
 */
export class SecretFields {
  readonly #paths: string[] = [];
  readonly #refs = new Map<string, SecretRef>();

  /** The keys of Secrets that were found: what the host has to watch. Each once. */
  get refs(): readonly SecretRef[] {
    return [...this.#refs.values()];
  }

  /** Whether the value at this path (a JSON pointer) is marked, or within one that is: it may hold a secret by mistake. */
  covers(path: string): boolean {
    return this.#paths.some((marked) => path === marked || path.startsWith(`${marked}/`));
  }

  /** Has `ajv` find marked fields, and refuse those that are no reference. */
  attachTo(ajv: Ajv): void {
    ajv.addKeyword({
      keyword: MARK,
      schemaType: 'boolean',
      errors: false,
      error: { message: 'must be the name and the key of a Secret: { "name": "...", "key": "..." }' },
      validate: (marked: boolean, value: unknown, _schema: unknown, at?: { readonly instancePath: string }) => {
        if (!marked) return true;
        this.#paths.push(at?.instancePath ?? '');
        if (!isSecretRef(value)) return false;
        this.#refs.set(`${value.name}/${value.key}`, { name: value.name, key: value.key });
        return true;
      },
    });
  }
}

function isSecretRef(value: unknown): value is SecretRef {
  if (!isRecord(value)) return false;
  const { name, key } = value;
  return typeof name === 'string' && NAME.test(name) && typeof key === 'string' && KEY.test(key);
}
