export { inProcessTransport, type InProcessHandle } from './in-process.ts';
