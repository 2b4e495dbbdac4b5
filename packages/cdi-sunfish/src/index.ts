export type { AttachMethod, AuthMethod, MemoryModel, SunfishConfig } from './config.ts';
export { sunfish } from './definition.ts';
