import { compareText, firstDifference } from './order.ts';
import type { Child } from './types.ts';

/**
 * Classes of children, in the order in which they go when a request shrinks. `planned` costs nothing, `deviceless` has no
 * device yet, `annotated` is Online and an autoscaler asks for its removal, `attaching` has a device that is not usable
 * yet, `online` is in use for all we know.
 */
const CLASSES = ['planned', 'deviceless', 'annotated', 'attaching', 'online', 'other'] as const;

/** One of the classes of children that go together. */
export type DeletionClass = (typeof CLASSES)[number];

/** The class of a child. */
export function deletionClass(child: Child): DeletionClass {
  if (!child.created) return 'planned';
  switch (child.state) {
    case '':
      return 'deviceless';
    case 'Attaching':
      return child.hasDevice ? 'attaching' : 'deviceless';
    case 'Online':
      return child.deleteAnnotated ? 'annotated' : 'online';
    case 'Detaching':
    case 'Deleting':
      return 'other';
  }
}

/** How much it costs to lose a child: 0 for a class that goes first. */
export function worth(child: Child): number {
  return CLASSES.indexOf(deletionClass(child));
}

/**
 * Sorts children into the order in which they go: by class, in a class the one that was used the longest time ago, then
 * the failing one, then by name.
 */
export function deletionOrder(children: readonly Child[]): readonly Child[] {
  return [...children].sort((a, b) =>
    firstDifference([
      worth(a) - worth(b),
      sinceWhen(a) - sinceWhen(b),
      Number(b.failing) - Number(a.failing),
      compareText(a.name, b.name),
    ]),
  );
}

/** A time that is not a number counts as the oldest, so that the order stays an order. */
function sinceWhen(child: Child): number {
  return Number.isFinite(child.lastUsedMs) ? child.lastUsedMs : 0;
}
