export { mergeConditions, type ConditionDraft } from './conditions.ts';
export type { Again, ResourceChange, ResourceDecision, ResourceReason, ResourceReport } from './resource/decision.ts';
export type { ResourceFacts, ResourceWords } from './resource/facts.ts';
export type { Device, ResourceOutcome, ResourceRequest } from './resource/outcome.ts';
export {
  holdOf,
  isGiveBack,
  resourceFacts,
  resourceStateOf,
  resourceWords,
  type ResourceKnowledge,
} from './resource/project.ts';
export { nextStatus, type StatusChange, type StatusContext } from './resource/status.ts';
export { stepResource, type ResourceStep } from './resource/step.ts';
