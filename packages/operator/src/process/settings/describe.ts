import type { DefaultedVariable, Variable } from './variable.ts';
import { VARIABLES } from './variables.ts';

/** A variable in words. */
export interface DescribedVariable {
  readonly name: string;
  readonly meaning: string;
  readonly accepts: string;
  /** The default as one would write it; empty where there is none. */
  readonly fallback: string;
}

/** Every variable in words, in the order of the declaration. */
export function describedVariables(): readonly DescribedVariable[] {
  const all: readonly (Variable<unknown> | DefaultedVariable<unknown>)[] = Object.values(VARIABLES);
  return all.map((variable) => ({
    name: variable.name,
    meaning: variable.meaning,
    accepts: variable.accepts,
    fallback: 'fallback' in variable ? String(variable.fallback) : '',
  }));
}

/** The part of `--help` that is about the environment. */
export function helpAboutVariables(): string {
  const blocks = describedVariables().map(({ name, meaning, accepts, fallback }) => {
    const values = fallback === '' ? `Accepted: ${accepts}.` : `Accepted: ${accepts}. Default: ${fallback}.`;
    return `  ${name}\n      ${meaning}\n      ${values}`;
  });
  return `\nEnvironment:\n${blocks.join('\n')}\n`;
}
