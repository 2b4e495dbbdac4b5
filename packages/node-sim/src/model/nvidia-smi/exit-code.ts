/** nvidia-smi's exit codes, as its manual lists them under "Return value". */
export const EXIT = {
  invalidArgument: 2,
  notSupported: 3,
  notFound: 6,
  noDriver: 9,
  /** Any other error: a GPU that is in use is one. */
  other: 255,
} as const;
