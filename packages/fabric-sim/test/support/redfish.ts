import { VirtualClock } from '@cro/clock/testing';
import {
  createRedfishSim,
  createSunfishSim,
  makeGpus,
  makeMachines,
  seededRandom,
  type FabricCore,
  type RedfishSimOptions,
  type SunfishSimOptions,
} from '@cro/fabric-sim';
import { at, never } from './client.ts';

export const MODEL = 'NVIDIA-A100-PCIE-80GB';
export const memory = [{ id: '1', sizeMiB: 8192, minMiB: 1024, incrementMiB: 512 }];
const V1 = '/redfish/v1';
export const paths = {
  systems: `${V1}/Systems`,
  system: (machine: number) => `${V1}/Systems/${at(makeMachines(2), machine).machUuid}`,
  block: (gpu: number) => `${V1}/CompositionService/ResourceBlocks/${gpuId(gpu)}`,
  connections: `${V1}/Fabrics/CXL/Connections`,
  endpoint: (id: string) => `${V1}/Fabrics/CXL/Endpoints/${id}`,
  chunks: `${V1}/Chassis/Pool/MemoryDomains/1/MemoryChunks`,
};

export function gpuId(gpu: number): string {
  return at(makeGpus(4, MODEL), gpu).resUuid;
}

export function machineId(machine: number): string {
  return at(makeMachines(2), machine).machUuid;
}

function common() {
  const devices = makeGpus(4, MODEL);
  return { clock: new VirtualClock(), random: seededRandom(7), devices, machines: makeMachines(2), memory };
}

export function openRedfish(options: Partial<RedfishSimOptions> = {}) {
  const parts = common();
  const sim = createRedfishSim({ ...parts, ...options });
  return { clock: parts.clock, sim, ...client(sim) };
}

export function openSunfish(options: Partial<SunfishSimOptions> = {}) {
  const parts = common();
  const sim = createSunfishSim({ ...parts, ...options });
  return { clock: parts.clock, sim, ...client(sim) };
}

type Json = Record<string, unknown>;

function client(core: FabricCore) {
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await core.handle({ method, path, headers: { ...type, ...headers }, ...content }, never());
    const isJson = response.headers['content-type'] === 'application/json';
    return { ...response, json: (isJson ? JSON.parse(response.body) : {}) as Json };
  };
  return { send, get: (path: string) => send('GET', path) };
}

export function refs(...uris: string[]) {
  return uris.map((uri) => ({ '@odata.id': uri }));
}

/** The URIs of a system's blocks. */
export function blocksOf({ json }: { json: Json }): string[] {
  const { ResourceBlocks: blocks } = json['Links'] as { ResourceBlocks: { '@odata.id': string }[] };
  return blocks.map((block) => block['@odata.id']);
}

/** MessageId of a Redfish error. */
export function messageId({ json }: { json: Json }): string {
  const { error } = json as { error: { '@Message.ExtendedInfo': { MessageId: string }[] } };
  return at(error['@Message.ExtendedInfo'], 0).MessageId;
}

export function connectionBody(id: string, machine: number, target: string, chunk?: string) {
  return {
    '@odata.type': '#Connection.v1_1_0.Connection',
    '@odata.id': `${paths.connections}/${id}`,
    Id: id,
    Name: id,
    Links: {
      InitiatorEndpoints: refs(paths.endpoint(`I-${machineId(machine)}`)),
      TargetEndpoints: refs(paths.endpoint(target)),
    },
    ...(chunk === undefined
      ? {}
      : { ConnectionType: 'Memory', MemoryChunkInfo: [{ MemoryChunk: { '@odata.id': chunk } }] }),
  };
}
