export { accessTo, watchAccess, type Access, type AccessTerms, type Verb } from './access/access.ts';
export { attributesOf, type RequestAttributes } from './access/attributes.ts';
export { covers } from './access/covers.ts';
export { Permissions, type PermissionsOptions } from './access/permissions.ts';
export type { ApiError, DeleteOutcome, JsonPatchOperation, ListOutcome, Patch } from './client/outcome.ts';
export type { ResourceName, ServedOutcome, ServerVersionOutcome } from './client/discovery.ts';
export type { NotFound, ReadOutcome, WriteFailure, WriteOutcome } from './client/outcome.ts';
export {
  KubeClient,
  type DeleteOptions,
  type KubeClientOptions,
  type NewObject,
  type ReplacedObject,
  type WriteOptions,
} from './client/client.ts';
export { fieldIs } from './client/field-selector.ts';
export type { ListOptions } from './client/list.ts';
export type { OwnWrite } from './client/writes.ts';
export {
  startController,
  type Controller,
  type ControllerOptions,
  type EnqueueOptions,
  type ReconcileContext,
  type ReconcileResult,
} from './controller/controller.ts';
export type { Priority } from './controller/ready-keys.ts';
export type { EventSubject, EventType } from './events/event-kind.ts';
export { eventAccess } from './events/event-kind.ts';
export { EventRecorder, type EventRecorderOptions } from './events/recorder.ts';
export type { CredentialSource, Credentials } from './https/credentials.ts';
export { HttpsTransport, type HttpsTransportOptions } from './https/https-transport.ts';
export { electLeader, type ElectionOptions } from './leader/elect.ts';
export type { Leadership } from './leader/leadership.ts';
export { leaseAccess } from './leader/lease.ts';
export { apiVersionOf, keyOf, refOf } from './kind.ts';
export type { Decoded, Kind, KubeMeta, KubeObject, ObjectRef, OwnerRef } from './kind.ts';
export { silentLog, type Log } from './log.ts';
export { RuntimeMetrics } from './metrics/runtime-metrics.ts';
export type { Served } from './path.ts';
export type { Transport, TransportRequest, TransportResponse } from './transport.ts';
export { WaitingLine } from './waiting-line.ts';
export type { Cache } from './watch/cache.ts';
export { watchKind, type WatchOptions } from './watch/watch-kind.ts';
export type { IndexFunction } from './watch/indexes.ts';
export type { CacheEvent, MalformedObject } from './watch/store.ts';
