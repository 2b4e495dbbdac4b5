/** What an interpreter remembers of an object, as far as waits go. */
interface Waiting {
  pause: unknown;
  /** Something outside of the object's own facts changed since its last request began: the outcome may be of yesterday. */
  overtaken: boolean;
}

/** Ends a wait that the object's own facts would not end, and one that is just being decided on. */
export function overtake(memory: Waiting): void {
  memory.pause = undefined;
  memory.overtaken = true;
}

/** Whether a wait that is about to begin was ended already. True once for each time. */
export function wasOvertaken(memory: Waiting): boolean {
  const { overtaken } = memory;
  memory.overtaken = false;
  return overtaken;
}
