export { fakeHost, type FakeHost, type FakeHostOptions, type LogLine } from './testing/fake-host.ts';
export { httpOver, type RequestHandler } from './testing/http-over.ts';
export { contractSuite, type ContractSuite } from './testing/suite/contract-suite.ts';
export type { Capability, ContractWorld } from './testing/suite/contract-world.ts';
export { virtualTime } from './testing/suite/virtual-time.ts';
export { askPeer } from './testing/peer/ask-peer.ts';
export type { Peer } from './testing/peer/peer.ts';
export { playOnPeer } from './testing/peer/story.ts';
