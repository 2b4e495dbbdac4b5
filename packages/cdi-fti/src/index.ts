export type { FtiConfig } from './config.ts';
export { fabricManager } from './definition.ts';
