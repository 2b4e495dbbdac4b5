export { contractCases } from './testing/contract-cases.ts';
export type { ContractCase, ContractWorld } from './testing/contract-world.ts';
export { fakeHost, type FakeHost, type FakeHostOptions, type LogLine } from './testing/fake-host.ts';
export { httpOver, type RequestHandler } from './testing/http-over.ts';
