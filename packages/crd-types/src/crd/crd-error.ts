/**
 * A CustomResourceDefinition that cannot be: the message begins with the path in the schema. It is thrown, because the
 * definition is a part of the program and there is nothing to go on with.
 */
export class CrdError extends Error {
  /** Where in the definition, for example `spec.resource.size`. */
  readonly path: string;

  constructor(path: string, problem: string) {
    super(`${path}: ${problem}`);
    this.name = 'CrdError';
    this.path = path;
  }
}
