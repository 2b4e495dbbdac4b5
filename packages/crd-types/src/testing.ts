export { goCrds } from './testing/go-crds.ts';
export {
  goRequest,
  goResource,
  writesOf,
  type GoObject,
  type GoStatus,
  type Ids,
  type Write,
} from './testing/go-objects.ts';
export { LEFT_MODEL, LEFT_NODE, LEFT_REQUEST, type Leftover } from './testing/leftover.ts';
export { leftovers } from './testing/leftovers.ts';
