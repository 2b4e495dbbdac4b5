export { type Binaries } from './binaries/binary.ts';
export { provide, type Provided, type ProvideOptions } from './binaries/provide.ts';
export { parseAuditLine, readAuditLog, type AuditEntry } from './plane/audit.ts';
export { freePorts } from './plane/free-ports.ts';
export { startProgram, type Program, type ProgramOptions } from './plane/program.ts';
export { startControlPlane, type ControlPlane, type PlaneOptions } from './plane/start.ts';
export { parseVersion, PROVEN, type Version } from './version.ts';
