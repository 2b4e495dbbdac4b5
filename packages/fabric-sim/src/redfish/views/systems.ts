import type { Machine } from '../../pool/device.ts';
import { collection, ref, resource, type Body, type Entry } from '../entry.ts';
import type { RedfishState } from '../state.ts';
import { blockUri, computeBlockId, POOL, SYSTEMS, systemUri } from '../uris.ts';
import { cpuProcessor } from './processors.ts';
import { WELL } from './status.ts';

const TYPE = 'ComputerSystem.v1_21_0.ComputerSystem';

/** Every machine. */
export function systems(state: RedfishState): Entry {
  const ids = () => state.pool.machines().map(({ machUuid }) => machUuid);
  return collection(SYSTEMS, 'ComputerSystem', ids, (id) => {
    const machine = state.pool.machine(id);
    return machine === undefined ? undefined : system(state, machine);
  });
}

/** The URIs of the blocks in a machine, its own processors' first. */
export function blocksIn({ pool }: RedfishState, machUuid: string): readonly string[] {
  const gpus = pool.attachedTo(machUuid).filter(({ type }) => type === 'gpu');
  return [computeBlockId(machUuid), ...gpus.map(({ resUuid }) => resUuid)].map(blockUri);
}

function system(state: RedfishState, machine: Machine): Entry {
  const uri = systemUri(machine.machUuid);
  const processors = `${uri}/Processors`;
  const below = collection(
    processors,
    'Processor',
    () => ['CPU'],
    (id) => (id === 'CPU' ? cpuProcessor(`${processors}/CPU`, machine) : undefined),
  );
  const properties = {
    Name: machine.name,
    HostName: machine.name,
    UUID: machine.machUuid.toUpperCase(),
    SystemType: 'Composed',
    PowerState: 'On',
    Status: WELL,
    Processors: ref(processors),
    ...composition(state, machine.machUuid),
  };
  return resource(uri, TYPE, properties, [below]);
}

function composition(state: RedfishState, machUuid: string): Body {
  const chassis = { Chassis: [ref(POOL)] };
  const { composeBy } = state.style;
  if (composeBy === 'connections') return { Links: chassis };
  const links = { Links: { ...chassis, ResourceBlocks: blocksIn(state, machUuid).map(ref) } };
  if (composeBy === 'patch') return { ...links, Composition: { UseCases: ['ExpandableSystem'] } };
  const action = (name: string) => ({ target: `${systemUri(machUuid)}/Actions/ComputerSystem.${name}` });
  return {
    ...links,
    Actions: {
      '#ComputerSystem.AddResourceBlock': action('AddResourceBlock'),
      '#ComputerSystem.RemoveResourceBlock': action('RemoveResourceBlock'),
    },
  };
}
