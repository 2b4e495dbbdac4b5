import type { Connection } from '../connections.ts';
import { collection, ref, resource, type Entry } from '../entry.ts';
import type { RedfishState } from '../state.ts';
import { FABRIC, initiatorUri, lastSegment, POOL, ROOT, systemUri } from '../uris.ts';
import { logicalDevices } from './chassis.ts';
import { WELL } from './status.ts';

/** The fabric with its endpoints and connections. */
export function fabrics(state: RedfishState): Entry {
  const fabric = resource(
    FABRIC,
    'Fabric.v1_3_0.Fabric',
    {
      FabricType: 'CXL',
      Status: WELL,
      Endpoints: ref(`${FABRIC}/Endpoints`),
      Connections: ref(`${FABRIC}/Connections`),
    },
    [endpoints(state), connections(state)],
  );
  const one = (id: string) => (id === 'CXL' ? fabric : undefined);
  return collection(`${ROOT}/Fabrics`, 'Fabric', () => ['CXL'], one);
}

interface Endpoint {
  readonly id: string;
  readonly role: 'Initiator' | 'Target';
  readonly type: 'Processor' | 'CXLDevice';
  readonly entity: string;
  /** Of a logical device of memory: the name that its host knows it by, too. */
  readonly gcxlId?: string;
}

/** Every endpoint: one for each machine, for each GPU that hangs on the fabric, for each logical device of the memory. */
function allEndpoints({ pool, memory, style }: RedfishState): readonly Endpoint[] {
  const gpus = style.composeBy === 'connections' ? pool.devices().filter(({ type }) => type === 'gpu') : [];
  return [
    ...pool.machines().map(({ machUuid }) => {
      const entity = `${systemUri(machUuid)}/Processors/CPU`;
      return { id: lastSegment(initiatorUri(machUuid)), role: 'Initiator', type: 'Processor', entity } as const;
    }),
    ...gpus.map(({ resUuid }) => {
      return { id: resUuid, role: 'Target', type: 'Processor', entity: `${POOL}/Processors/${resUuid}` } as const;
    }),
    ...memory.domains().flatMap((domain, nth) =>
      logicalDevices(domain).map((entity, index) => {
        const gcxlId = gcxlIdOf(nth, index);
        return { id: `VT${domain.id}.${index + 1}`, role: 'Target', type: 'CXLDevice', entity, gcxlId } as const;
      }),
    ),
  ];
}

/** The serial number of a device, and the number of the logical device in it (Redfish, `DurableNameFormat: GCXLID`). */
function gcxlIdOf(device: number, logical: number): string {
  const hex = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, '0');
  return `4C-2A-98-00-00-00-00-${hex(device, 2)}:${hex(logical, 4)}`;
}

function endpoints(state: RedfishState): Entry {
  const uri = `${FABRIC}/Endpoints`;
  const ids = () => allEndpoints(state).map(({ id }) => id);
  return collection(uri, 'Endpoint', ids, (id) => {
    const endpoint = allEndpoints(state).find((one) => one.id === id);
    if (endpoint === undefined) return undefined;
    const { role, type, entity, gcxlId } = endpoint;
    const identifiers =
      gcxlId === undefined ? {} : { Identifiers: [{ DurableNameFormat: 'GCXLID', DurableName: gcxlId }] };
    const used = allConnections(state).find(({ targets }) => targets.includes(`${uri}/${id}`));
    return resource(`${uri}/${id}`, 'Endpoint.v1_8_0.Endpoint', {
      EndpointProtocol: 'CXL',
      ConnectedEntities: [{ EntityRole: role, EntityType: type, EntityLink: ref(entity), ...identifiers }],
      Links: { Connections: used === undefined ? [] : [ref(`${FABRIC}/Connections/${used.id}`)] },
    });
  });
}

function connections(state: RedfishState): Entry {
  const uri = `${FABRIC}/Connections`;
  const ids = () => allConnections(state).map(({ id }) => id);
  return collection(uri, 'Connection', ids, (id) => {
    const connection = state.connections.get(id) ?? allConnections(state).find((one) => one.id === id);
    return connection === undefined ? undefined : connectionEntry(`${uri}/${id}`, connection);
  });
}

/** The connections that were made, and one for each GPU that was put on a machine by hand. */
function allConnections({ pool, connections: book, style }: RedfishState): readonly Connection[] {
  const made = book.all();
  if (style.composeBy !== 'connections') return made;
  const byHand = pool.machines().flatMap(({ machUuid }) =>
    pool.attachedTo(machUuid).flatMap(({ type, resUuid }) => {
      const target = `${FABRIC}/Endpoints/${resUuid}`;
      if (type !== 'gpu' || book.using(target) !== undefined) return [];
      const id = `by-hand-${resUuid}`;
      const links = { InitiatorEndpoints: [ref(initiatorUri(machUuid))], TargetEndpoints: [ref(target)] };
      return [
        { id, machine: machUuid, targets: [target], chunks: [], resUuid, body: { Id: id, Name: id, Links: links } },
      ];
    }),
  );
  return [...made, ...byHand];
}

function connectionEntry(uri: string, { body }: Connection): Entry {
  return resource(uri, 'Connection.v1_1_0.Connection', { ...body, '@odata.id': uri, Status: WELL });
}
