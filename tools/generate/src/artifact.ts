/** A file of the repository that is derived from code. */
export interface Artifact {
  /** Relative to the repository's root, with forward slashes. */
  readonly path: string;
  /** The whole text of the file. */
  readonly content: () => string;
}
