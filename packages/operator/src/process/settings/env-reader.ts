import { printable } from '../printable.ts';
import type { DefaultedVariable, Variable } from './variable.ts';

/** The environment, as `process.env` gives it. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Reads variables one by one and keeps what was wrong with them, in the order of reading. */
export interface EnvReader {
  readonly problems: readonly string[];
  /** A line about something that no single variable shows. */
  complain(problem: string): void;
  /** The value; `undefined` when it is missing or wrong, which is then among the problems. */
  required<T>(variable: Variable<T>): T | undefined;
  /** The value; `undefined` when it is not set, or when it is wrong, which is then among the problems. */
  optional<T>(variable: Variable<T>): T | undefined;
  /** The value or the default; the default as well when it is wrong, which is then among the problems. */
  defaulted<T>(variable: DefaultedVariable<T>): T;
}

/** Reads from `env`. An empty variable counts as unset: templates often leave one behind. */
export function envReader(env: Env): EnvReader {
  const problems: string[] = [];
  const optional = <T>(variable: Variable<T>): T | undefined => {
    const text = env[variable.name] ?? '';
    if (text === '') return undefined;
    const parsed = variable.parse(text);
    if (parsed.tag === 'ok') return parsed.value;
    problems.push(invalidValue(variable, text));
    return undefined;
  };
  return {
    problems,
    complain: (problem) => problems.push(problem),
    optional,
    required(variable) {
      if ((env[variable.name] ?? '') === '') problems.push(invalidValue(variable, ''));
      return optional(variable);
    },
    defaulted: (variable) => optional(variable) ?? variable.fallback,
  };
}

/** The Go operator's text, and what is accepted. */
function invalidValue(variable: Variable<unknown>, text: string): string {
  return `the env variable ${variable.name} has an invalid value: '${printable(text)}'; accepted: ${variable.accepts}`;
}
