export type { CmConfig, FtiConfig } from './config.ts';
export { clusterManager, fabricManager } from './definition.ts';
