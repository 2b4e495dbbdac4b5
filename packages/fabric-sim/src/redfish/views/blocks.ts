import type { Device, Machine } from '../../pool/device.ts';
import { collection, ref, resource, type Body, type Entry } from '../entry.ts';
import type { RedfishState } from '../state.ts';
import { blockUri, BLOCKS, computeBlockId, systemUri, ZONES } from '../uris.ts';
import { cpuProcessor, gpuProcessor } from './processors.ts';
import { statusOf, WELL } from './status.ts';

const TYPE = 'ResourceBlock.v1_4_0.ResourceBlock';

/** Every block: one for each machine's own processors, one for each GPU. */
export function blocks(state: RedfishState): Entry {
  const { pool } = state;
  const ids = () => [
    ...pool.machines().map(({ machUuid }) => computeBlockId(machUuid)),
    ...pool
      .devices()
      .filter(({ type }) => type === 'gpu')
      .map(({ resUuid }) => resUuid),
  ];
  return collection(BLOCKS, 'ResourceBlock', ids, (id) => {
    const device = pool.device(id);
    if (device?.type === 'gpu') return gpuBlock(state, device);
    const machine = pool.machines().find(({ machUuid }) => computeBlockId(machUuid) === id);
    return machine === undefined ? undefined : computeBlock(state, machine);
  });
}

function gpuBlock({ pool, style }: RedfishState, device: Device): Entry {
  const placement = pool.placement(device.resUuid);
  const stuck = style.blockState === 'stuck' || placement.tag === 'free';
  const holder = stuck ? undefined : placement.machine;
  const state = stuck ? 'Unused' : placement.tag === 'reserved' ? 'Composing' : 'Composed';
  const uri = blockUri(device.resUuid);
  const processor = gpuProcessor(`${uri}/Processors/GPU`, device);
  // The CDIM emulator, whose blocks always say Unused, does not tell their types either.
  const types = style.blockState === 'stuck' ? [] : ['Processor'];
  return block(uri, types, { state, holder, zone: style.zones[device.resUuid] }, processor, statusOf(device.opStatus));
}

function computeBlock({ style }: RedfishState, machine: Machine): Entry {
  const uri = blockUri(computeBlockId(machine.machUuid));
  const composed = { state: 'Composed', holder: machine.machUuid, zone: style.zones[machine.machUuid] };
  return block(uri, ['Compute'], composed, cpuProcessor(`${uri}/Processors/CPU`, machine), WELL);
}

/** How a block is composed, and in which zone it is. */
interface Composed {
  readonly state: string;
  readonly holder: string | undefined;
  readonly zone: string | undefined;
}

function block(
  uri: string,
  types: readonly string[],
  { state, holder, zone }: Composed,
  processor: Entry,
  status: Body,
): Entry {
  const properties = {
    ResourceBlockType: types,
    CompositionStatus: { CompositionState: state, Reserved: false, SharingCapable: false },
    // A list of links, and no link to a list, other than in a system.
    Processors: [ref(processor.uri)],
    Links: {
      ComputerSystems: holder === undefined ? [] : [ref(systemUri(holder))],
      ...(zone === undefined ? {} : { Zones: [ref(`${ZONES}/${zone}`)] }),
    },
    Status: status,
  };
  const entry = resource(uri, TYPE, properties, [processor]);
  const folder = { ...entry, child: (id: string) => (processor.uri.endsWith(`/${id}`) ? processor : undefined) };
  return { ...entry, child: (segment) => (segment === 'Processors' ? folder : undefined) };
}
