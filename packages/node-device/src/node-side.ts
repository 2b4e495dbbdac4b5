import type { Fence } from './fence/fence.ts';
import type { NodeActions } from './node-actions.ts';
import type { Identity } from './identity.ts';
import type { Visibility } from './visibility.ts';

/** How devices of one kind are dealt with on their nodes. */
export interface NodeSide {
  readonly visibility: Visibility;
  readonly identity: Identity;
  readonly actions: NodeActions;
  readonly fence: Fence;
}
