import type { Identity } from '../identity.ts';
import type { NodeLooks } from './node-looks.ts';

/** Identity where only commands tell what a node has: `shownBy` is what was listed before the attach, as its driver was made sure of. */
export function commandIdentity({ looks }: { readonly looks: NodeLooks }): Identity {
  return {
    shownBy: (node) => looks.listedOn(node),
    find: () => undefined,
  };
}
