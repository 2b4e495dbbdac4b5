import type { Chunk, MemoryDomain } from '../memory.ts';
import { collection, ref, resource, type Entry } from '../entry.ts';
import type { RedfishState } from '../state.ts';
import { DOMAINS, POOL, ROOT } from '../uris.ts';
import { gpuProcessor } from './processors.ts';
import { WELL } from './status.ts';

/** The chassis with what is pooled: GPUs that hang on the fabric, and memory. */
export function chassis(state: RedfishState): Entry {
  const pool = resource(
    POOL,
    'Chassis.v1_25_0.Chassis',
    {
      ChassisType: 'Shelf',
      Status: WELL,
      Processors: ref(`${POOL}/Processors`),
      MemoryDomains: ref(DOMAINS),
      PCIeDevices: ref(`${POOL}/PCIeDevices`),
    },
    [processors(state), domains(state), pcieDevices(state)],
  );
  const one = (id: string) => (id === 'Pool' ? pool : undefined);
  return collection(`${ROOT}/Chassis`, 'Chassis', () => ['Pool'], one);
}

function processors({ pool, style }: RedfishState): Entry {
  const uri = `${POOL}/Processors`;
  const gpus = () => (style.composeBy === 'connections' ? pool.devices().filter(({ type }) => type === 'gpu') : []);
  const ids = () => gpus().map(({ resUuid }) => resUuid);
  return collection(uri, 'Processor', ids, (id) => {
    const device = pool.device(id);
    return device?.type === 'gpu' ? gpuProcessor(`${uri}/${id}`, device) : undefined;
  });
}

function domains(state: RedfishState): Entry {
  const { memory } = state;
  const ids = () => memory.domains().map(({ id }) => id);
  return collection(DOMAINS, 'MemoryDomain', ids, (id) => {
    const domain = memory.domain(id);
    return domain === undefined ? undefined : domainEntry(state, domain);
  });
}

function domainEntry({ memory }: RedfishState, domain: MemoryDomain): Entry {
  const uri = `${DOMAINS}/${domain.id}`;
  const below = collection(
    `${uri}/MemoryChunks`,
    'MemoryChunks',
    () => memory.chunksOf(domain.id).map(({ id }) => id),
    (id) => {
      const chunk = memory.chunk(domain.id, id);
      return chunk === undefined ? undefined : chunkEntry(`${uri}/MemoryChunks/${id}`, chunk);
    },
  );
  const properties = {
    AllowsMemoryChunkCreation: true,
    MinMemoryChunkSizeMiB: domain.minMiB,
    MemoryChunkIncrementMiB: domain.incrementMiB,
    MemorySizeMiB: domain.sizeMiB,
    MemoryChunks: ref(`${uri}/MemoryChunks`),
    Links: { CXLLogicalDevices: logicalDevices(domain).map(ref) },
    Status: WELL,
  };
  return resource(uri, 'MemoryDomain.v1_5_0.MemoryDomain', properties, [below]);
}

function chunkEntry(uri: string, chunk: Chunk): Entry {
  const properties = { ...chunk.body, '@odata.id': uri, MemoryChunkSizeMiB: chunk.sizeMiB, Status: WELL };
  return resource(uri, 'MemoryChunks.v1_6_0.MemoryChunks', properties);
}

/** URIs of a domain's logical devices, each of which has an endpoint. */
export function logicalDevices(domain: MemoryDomain): readonly string[] {
  return Array.from(
    { length: domain.logicalDevices },
    (_, index) => `${POOL}/PCIeDevices/${domain.id}/CXLLogicalDevices/${index + 1}`,
  );
}

function pcieDevices({ memory }: RedfishState): Entry {
  const uri = `${POOL}/PCIeDevices`;
  const ids = () => memory.domains().map(({ id }) => id);
  return collection(uri, 'PCIeDevice', ids, (id) => {
    const domain = memory.domain(id);
    if (domain === undefined) return undefined;
    const devices = `${uri}/${id}/CXLLogicalDevices`;
    const below = collection(
      devices,
      'CXLLogicalDevice',
      () => logicalDevices(domain).map((_, index) => String(index + 1)),
      (one) => resource(`${devices}/${one}`, 'CXLLogicalDevice.v1_2_0.CXLLogicalDevice', { Status: WELL }),
    );
    return resource(`${uri}/${id}`, 'PCIeDevice.v1_14_0.PCIeDevice', { CXLLogicalDevices: ref(devices) }, [below]);
  });
}
