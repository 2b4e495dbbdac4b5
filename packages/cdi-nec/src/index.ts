export { configSchema, type Dialect, type NecConfig } from './config.ts';
export { cdim } from './definition.ts';
export { NODE_ANNOTATION } from './locate.ts';
