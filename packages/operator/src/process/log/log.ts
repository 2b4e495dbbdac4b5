import type { Log } from '@cro/cdi-core';
import type { Clock } from '@cro/clock';
import { createLogger, format, transports } from 'winston';
import { printable } from '../printable.ts';
import type { LogLevel } from '../settings/settings.ts';
import { plainValue } from './plain-value.ts';
import type { SecretRegistry } from './secret-registry.ts';

/** What the log needs. */
export interface LogOptions {
  readonly level: LogLevel;
  readonly clock: Clock;
  readonly secrets: SecretRegistry;
  /** Where lines go; the process gives `process.stderr`. */
  readonly stream: NodeJS.WritableStream;
}

type Fields = Readonly<Record<string, unknown>>;

const OWN_KEYS = new Set(['time', 'level', 'message']);
const MESSAGE = Symbol.for('message');

/**
 * One JSON object a line: `time` (RFC 3339), `level`, `message`, then the fields beside them. A field that is called like
 * one of these three gets an underscore in front. No text can end the line before its time.
 */
export function createLog({ level, clock, secrets, stream }: LogOptions): Log {
  const line = format((info) => {
    const { level: at, message, fields } = info;
    const head = { time: new Date(clock.now()).toISOString(), level: at, message: plainValue(message, secrets) };
    // JSON escapes the control characters below U+0020, but neither DEL, C1 nor the Unicode line ends.
    info[MESSAGE] = printable(JSON.stringify({ ...head, ...besides(fields, secrets) }));
    return info;
  });
  const logger = createLogger({ level, format: line(), transports: [new transports.Stream({ stream })] });
  const write = (at: LogLevel) => (message: string, fields?: Fields) => {
    // Under one key, so that winston does not merge a field called `message` into the text.
    logger.log({ level: at, message, fields: fields ?? {} });
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/** A log that adds the same fields to every line: a reconcile id, the name of an object. */
export function withFields(log: Log, common: Fields): Log {
  return {
    debug: (message, fields) => {
      log.debug(message, { ...common, ...fields });
    },
    info: (message, fields) => {
      log.info(message, { ...common, ...fields });
    },
    warn: (message, fields) => {
      log.warn(message, { ...common, ...fields });
    },
    error: (message, fields) => {
      log.error(message, { ...common, ...fields });
    },
  };
}

function besides(fields: unknown, secrets: SecretRegistry): Record<string, unknown> {
  const plain = plainValue(fields, secrets);
  if (typeof plain !== 'object' || plain === null) return {};
  return Object.fromEntries(Object.entries(plain).map(([key, value]) => [OWN_KEYS.has(key) ? `_${key}` : key, value]));
}
