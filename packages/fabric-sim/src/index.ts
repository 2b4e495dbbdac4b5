export type { Call, CallKind, Protocol } from './core/call.ts';
export type { CallCounts, CallEnd, CallRecord } from './core/call-log.ts';
export { ConnectionLost, type FabricCore, type SimRequest, type SimResponse } from './core/http.ts';
export type { Duration } from './duration.ts';
export {
  createFabricSim,
  defaultCluster,
  defaultCredentials,
  type FabricSim,
  type FabricSimOptions,
} from './fabric-sim.ts';
export type { Hands } from './hands.ts';
export type { Effect, FaultBody, Moment } from './faults/effect.ts';
export type { ArmedFault, Fault, FaultBook } from './faults/fault-book.ts';
export type { Credentials } from './id-manager/id-manager.ts';
export { makeGpus, makeMachines } from './make.ts';
export type { ApplyEnd, ApplyRecord, ApplyStatus } from './nec/apply-record.ts';
export type { NecDialect } from './nec/context.ts';
export { createNecSim, type NecHands, type NecSim, type NecSimOptions } from './nec/nec-sim.ts';
export type { Device, DeviceSpec, FabricEvent, MachineSpec, OpStatus } from './pool/device.ts';
export type { WhenBusy } from './pool/lanes.ts';
export type { Snapshot } from './pool/pool.ts';
export { seededRandom } from './random.ts';
export { serve, type Served, type ServeOptions } from './serve/serve.ts';
export {
  defaultTenant,
  startFabricSim,
  startNecSim,
  type RunningFabricSim,
  type RunningNecSim,
  type StartNecOptions,
  type StartOptions,
} from './start.ts';
export type { RedfishCredentials } from './redfish/auth.ts';
export type { MemoryDomainSpec } from './redfish/memory.ts';
export { createRedfishSim, type RedfishSim, type RedfishSimOptions } from './redfish/redfish-sim.ts';
export type { RedfishStyle } from './redfish/state.ts';
export { createSunfishSim, type SunfishSim, type SunfishSimOptions } from './sunfish/sunfish-sim.ts';
export type { Aliases } from './sunfish/server.ts';
export {
  startRedfishSim,
  startSunfishSim,
  type RunningRedfishSim,
  type RunningSunfishSim,
  type StartRedfishOptions,
  type StartSunfishOptions,
} from './start-redfish.ts';
