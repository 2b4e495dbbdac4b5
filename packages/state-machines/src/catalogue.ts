export { forEachCombination, type Domain } from './combinations.ts';
export { requestDomain, requestOutcomes, runningRequest } from './request/catalogue.ts';
export { requestLife, type RequestAct } from './request/life.ts';
export { isConsistent, newResource, resourceDomain, resourceDomainIn, resourceOutcomes } from './resource/catalogue.ts';
export type { Act } from './resource/acts.ts';
export { life as resourceLife } from './resource/life.ts';
export { findRow, type Row, type When } from './table.ts';
