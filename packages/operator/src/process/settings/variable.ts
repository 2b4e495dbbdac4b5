/** A value, or what is accepted instead. */
export type Parsed<T> = { readonly tag: 'ok'; readonly value: T } | { readonly tag: 'invalid' };

/** One environment variable: everything that the parser, `--help` and the documentation say about it. */
export interface Variable<T> {
  readonly name: string;
  /** What it does, one or two sentences. */
  readonly meaning: string;
  /** What is accepted, as it stands in errors and in the documentation. */
  readonly accepts: string;
  readonly parse: (text: string) => Parsed<T>;
}

/** A variable that need not be set. */
export interface DefaultedVariable<T> extends Variable<T> {
  /** Its value where it is unset or empty. */
  readonly fallback: T;
}
