import type { Failure } from '@cro/crd-types';

/** How a command on a node ended. */
export type NodeOutcome = { readonly tag: 'done' } | { readonly tag: 'failed'; readonly failure: Failure };

/** Whether something uses a device. `by` names it for a person: a process, a pod, a claim. */
export type LoadOutcome =
  | { readonly tag: 'idle' }
  | { readonly tag: 'inUse'; readonly by: string }
  | { readonly tag: 'failed'; readonly failure: Failure };

/** What the node calls a device that the fabric attached. `notYet`: nothing there fits so far; look again. */
export type IdentifyOutcome =
  | { readonly tag: 'identified'; readonly deviceId: string }
  | { readonly tag: 'notYet'; readonly message: string }
  | { readonly tag: 'failed'; readonly failure: Failure };
