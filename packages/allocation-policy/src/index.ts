export { askOf, type Ask } from './ask.ts';
export { deletionClass, deletionOrder, type DeletionClass } from './deletion-priority.ts';
export { defaultFilters, type Filter } from './filters.ts';
export type { PlacementRules } from './place.ts';
export { defaultRules, plan } from './plan.ts';
export { defaultScores, type Score } from './scores.ts';
export type {
  Capacity,
  Child,
  NodeSnapshot,
  NodeUse,
  Plan,
  Planned,
  PlanInput,
  Policy,
  Unplaceable,
  UnplaceableReason,
} from './types.ts';
