export { mergeConditions, type ConditionDraft } from './conditions.ts';
export type { Again, ResourceChange, ResourceDecision, ResourceReason, ResourceReport } from './resource/decision.ts';
export type { ResourceFacts, ResourceWords } from './resource/facts.ts';
export type { Device, NoFenceReason, ResourceOutcome, ResourceRequest } from './resource/outcome.ts';
export {
  deviceOf,
  holdOf,
  isGiveBack,
  resourceFacts,
  resourceStateOf,
  resourceWords,
  type ResourceKnowledge,
} from './resource/project.ts';
export { handoverOf, type Handover } from './resource/handover.ts';
export { nextStatus, type StatusChange, type StatusContext } from './resource/status.ts';
export { stepResource, type ResourceStep } from './resource/step.ts';
export { stepDrift, type DriftMemory, type DriftStep, type Sweep } from './drift/drift.ts';
export { driftKey, type ListedOnFabric } from './drift/key.ts';
export type {
  Plan,
  RequestChange,
  RequestDecision,
  RequestOutcome,
  RequestReason,
  RequestReport,
  RequestRequest,
  UnplaceableReason,
} from './request/decision.ts';
export type { RequestFacts, RequestWords } from './request/facts.ts';
export {
  isLeaving,
  isPlannedAndUnowned,
  requestFacts,
  requestStateOf,
  requestWords,
  sameResource,
  type RequestKnowledge,
} from './request/project.ts';
export { nextRequestStatus, type RequestStatusChange } from './request/status.ts';
export { stepRequest, type RequestStep } from './request/step.ts';
