/** A configuration that cannot work. `message` is one line for a person. */
export class OperatorConfigError extends Error {
  override readonly name = 'OperatorConfigError';
}
