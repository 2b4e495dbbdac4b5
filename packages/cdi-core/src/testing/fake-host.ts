import type { Clock } from '@cro/clock';
import type { CachedObject, Http, Log, ProviderHost, SecretRef } from '../contract/host.ts';
import type { ReadKind } from '../contract/read-kind.ts';

/** One log line. */
export interface LogLine {
  readonly level: keyof Log;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A world for a provider under test. Secrets and objects may be changed at any time. */
export interface FakeHost extends ProviderHost {
  readonly logged: readonly LogLine[];
  /** Values by `name/key`. */
  readonly secrets: Map<string, string>;
  /** Puts an object into the cache. */
  put(kind: ReadKind, object: CachedObject): void;
}

/** What a {@link FakeHost} is made of. */
export interface FakeHostOptions {
  readonly clock: Clock;
  readonly http: Http;
  /** Values by `name/key`: `{ 'credentials/username': 'operator' }`. */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** Makes a host that does what the contract says and keeps what it was told. Ids and random numbers are the same in every run. */
export function fakeHost({ clock, http, secrets = {} }: FakeHostOptions): FakeHost {
  const logged: LogLine[] = [];
  const kept = new Map(Object.entries(secrets));
  const objects = new Map<string, CachedObject>();
  let ids = 0;
  return {
    clock,
    http,
    random: () => 0.5,
    newId: () => `operation-${(ids += 1)}`,
    log: recorder(logged),
    logged,
    secrets: kept,
    put: (kind, object) => {
      objects.set(keyOf(kind, object.metadata.name, object.metadata.namespace), object);
    },
    get: (kind, name, namespace) => objects.get(keyOf(kind, name, namespace)),
    secret: (ref) => secretIn(kept, ref),
  };
}

function recorder(lines: LogLine[]): Log {
  const at =
    (level: keyof Log) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) =>
      void lines.push({ level, message, fields });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function keyOf(kind: ReadKind, name: string, namespace = ''): string {
  return `${kind.plural}.${kind.group}/${namespace}/${name}`;
}

function secretIn(secrets: ReadonlyMap<string, string>, { name, key }: SecretRef): ReturnType<ProviderHost['secret']> {
  const value = secrets.get(`${name}/${key}`);
  if (value !== undefined) return { tag: 'value', value };
  const known = [...secrets.keys()].some((entry) => entry.startsWith(`${name}/`));
  const message = known ? `secrets "${name}" has no key "${key}"` : `secrets "${name}" not found`;
  return { tag: 'failed', failure: { kind: 'Blocked', message } };
}
