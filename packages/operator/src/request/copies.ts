import type { ComposabilityRequestStatus, PlannedResource } from '@cro/crd-types';
import { isDeepStrictEqual } from 'node:util';

const NEWS_MS = 1_000;
/** A fabric may take minutes, so a reader is told; a device that is there sooner makes one write and not two. */
const ON_THE_WAY_MS = 10_000;

/** How long after the last write of a request's status copies of its children's words are due, in milliseconds, while nothing else is new. */
export function copiesDueMs(before: ComposabilityRequestStatus, after: ComposabilityRequestStatus): number {
  return isOnTheWay(before, after) ? ON_THE_WAY_MS : NEWS_MS;
}

/**
 * Whether nothing is new but states that devices pass through: no id, no error, no arrival and no departure. Of a request that is Cleaning
 * everybody knows that its devices leave.
 */
function isOnTheWay(before: ComposabilityRequestStatus, after: ComposabilityRequestStatus): boolean {
  const { resources: was = {}, ...restBefore } = before;
  const { resources: is = {}, ...restAfter } = after;
  return (
    isDeepStrictEqual(restBefore, restAfter) &&
    isDeepStrictEqual(Object.keys(was).toSorted(), Object.keys(is).toSorted()) &&
    Object.entries(is).every(([name, entry]) => passesThrough(was[name], entry, after.state === 'Cleaning'))
  );
}

function passesThrough(was: PlannedResource | undefined, is: PlannedResource, isCleaning: boolean): boolean {
  if (was === undefined) return false;
  if (was.state === is.state) return isDeepStrictEqual(was, is);
  const isNews = is.state === 'Online' || (was.state === 'Online' && !isCleaning);
  return !isNews && isDeepStrictEqual({ ...was, state: is.state }, is);
}
