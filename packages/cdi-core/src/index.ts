export type { DeviceType, Failure, FailureKind } from '@cro/crd-types';
export { CREDENTIAL_KEYS, type CredentialKey, type CredentialRefs, type Credentials } from './auth/credentials.ts';
export { passwordGrant, type PasswordGrantOptions } from './auth/password-grant.ts';
export { secretToken } from './auth/secret-token.ts';
export type { TokenOutcome, TokenSource } from './auth/token-source.ts';
export * from './contract/host.ts';
export * from './contract/listing.ts';
export * from './contract/provider.ts';
export * from './contract/read-kind.ts';
export * from './contract/ticket.ts';
export { gotHttp, type GotHttp, type GotHttpOptions } from './http/got-http.ts';
export { isSendError, SendError, type SendFault } from './http/send-error.ts';
export type { Answer, AnswerHeaders } from './json/answer.ts';
export type { JsonCall } from './json/json-call.ts';
export { jsonClient, type JsonClient, type JsonClientOptions } from './json/json-client.ts';
export { parseJson, type ParsedJson } from './json/parse-json.ts';
export { retryAfterMs } from './json/retry-after.ts';
export { wireDecoder } from './json/wire-decoder.ts';
export type { FoundDefinition } from './loading/check-definition.ts';
export { loadProvider, type Loaded } from './loading/load-provider.ts';
export { importDefinition, type ImportOptions } from './loading/npm/import-definition.ts';
export { isPackageName } from './loading/npm/package-name.ts';
export { providerRegistry, type ProviderRegistry } from './loading/registry.ts';
export type { AcceptingFabric, Awaited, BaselineFabric, DevicesRead, Progress } from './strategies/baseline-fabric.ts';
export { byBaseline, byBaselineAccepted } from './strategies/by-baseline.ts';
export { byName, type Leaving, type NameFabric } from './strategies/by-name.ts';
export { byOperation, detachByOperation, type ByOperation } from './strategies/by-operation.ts';
export { exactlyOnce } from './strategies/exactly-once.ts';
export type { Asked, MachineRead, ReadMachine, Wanted } from './strategies/fabric.ts';
export type {
  ChangeFabric,
  Failed,
  GoalLook,
  OperationFabric,
  OperationStatus,
  OperationTarget,
  Subject,
  Submitted,
} from './strategies/operation-fabric.ts';
export { Pace } from './strategies/pace.ts';
export type { Strategy, TicketMaker } from './strategies/strategy.ts';
export { issueTicket, openTicket, PAYLOAD_VERSION } from './strategies/tickets.ts';
export { cleanText } from './text/clean-text.ts';
export { FabricId, isFabricId } from './text/fabric-id.ts';
export { redact } from './text/redact.ts';
