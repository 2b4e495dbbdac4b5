export type { Call, CallKind, Protocol } from './core/call.ts';
export type { CallCounts, CallEnd, CallRecord } from './core/call-log.ts';
export { ConnectionLost, type FabricCore, type SimRequest, type SimResponse } from './core/http.ts';
export {
  createFabricSim,
  defaultCredentials,
  type Duration,
  type FabricSim,
  type FabricSimOptions,
} from './fabric-sim.ts';
export type { Effect, FaultBody, Moment } from './faults/effect.ts';
export type { ArmedFault, Fault, FaultBook } from './faults/fault-book.ts';
export type { Credentials } from './id-manager/id-manager.ts';
export { makeGpus, makeMachines } from './make.ts';
export type { Device, DeviceSpec, FabricEvent, MachineSpec, OpStatus } from './pool/device.ts';
export type { WhenBusy } from './pool/lanes.ts';
export type { Snapshot } from './pool/pool.ts';
export { seededRandom } from './random.ts';
export { serve, type Served, type ServeOptions } from './serve/serve.ts';
export { defaultTenant, startFabricSim, type RunningFabricSim, type StartOptions } from './start.ts';
