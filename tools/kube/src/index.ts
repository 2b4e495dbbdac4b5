export { type Binaries } from './binaries/binary.ts';
export { cachedOrBuilt, provide, type Provided, type ProvideOptions } from './binaries/provide.ts';
export type { KubeletBackend, KubeletExec, KubeletStreams } from './kubelet/backend.ts';
export { startFakeKubelet, type FakeKubelet, type KubeletOptions } from './kubelet/start.ts';
export { parseAuditLine, readAuditLog, type AuditEntry } from './plane/audit.ts';
export { freePorts } from './plane/free-ports.ts';
export { startProgram, type Program, type ProgramOptions } from './plane/program.ts';
export { startControlPlane, type ControlPlane, type PlaneOptions } from './plane/start.ts';
export { parseVersion, PROVEN, type Version } from './version.ts';
