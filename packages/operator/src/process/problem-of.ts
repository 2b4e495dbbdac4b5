/** An error in a line, for people. */
export function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
