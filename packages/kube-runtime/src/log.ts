/** Structured log lines. winston's logger fits. */
export interface Log {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

const nothing = () => undefined;

/** Says nothing. The default where a log is optional. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
