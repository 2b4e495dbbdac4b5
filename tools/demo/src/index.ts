export type { ApiCounts } from './world/api-counts.ts';
export { covered, type Interval } from './world/intervals.ts';
export { requestKind, resourceKind } from '@cro/crd-types';
export type { Exit, OperatorProcess } from './world/operator-process.ts';
export type { OperatorStart } from './world/operators.ts';
export { DEFAULT_MODEL, NAMESPACE, TENANT, type WorldOptions } from './world/options.ts';
export { startWorld } from './world/start-world.ts';
export { until, type Subscribe, type Wait } from './world/until.ts';
export type { World } from './world/world.ts';
