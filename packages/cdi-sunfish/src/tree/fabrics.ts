import type { CallContext } from '@cro/cdi-core';
import type { Clock } from '@cro/clock';
import type { Failure } from '@cro/crd-types';
import type { Read, RedfishService } from '../redfish/service.ts';
import { belowParent, isUri, isWithin, lastSegment } from '../redfish/uri.ts';
import { decode, type Connection, type Endpoint, type Fabric } from '../redfish/wire.ts';
import { gpuOf, type Gpu } from './gpu.ts';
import { readAll, readMembers, type All } from './members.ts';
import type { Layout } from './root.ts';

/** An endpoint, and what is behind it. */
export interface EndpointRead {
  readonly uri: string;
  readonly role: string | undefined;
  /** URI of the thing behind it. */
  readonly entity: string | undefined;
  /** Its durable name, for CXL its GCXLID: the same on the fabric and on the node. */
  readonly durableName: string | undefined;
}

/** A fabric with its endpoints and connections. */
export interface FabricRead {
  readonly uri: string;
  readonly connectionsUri: string;
  /** The Sunfish server: it wants full names of what is made. */
  readonly isSunfish: boolean;
  readonly endpoints: readonly EndpointRead[];
  /** Why one of its endpoints could not be read, if that is so: what is missing may be that one. */
  readonly unread: Failure | undefined;
  readonly connections: readonly { readonly uri: string; readonly connection: Connection }[];
}

/** How long endpoints are taken for true, in milliseconds: they change when somebody plugs in a cable. */
const KEPT_MS = 60_000;

/** The fabrics of a service. Connections are read anew each time, endpoints now and then, and what is behind them once. */
export class Fabrics {
  readonly #service: RedfishService;
  readonly #clock: Clock;
  readonly #endpoints = new Map<string, { readonly endpoints: readonly EndpointRead[]; readonly atMs: number }>();
  readonly #gpus = new Map<string, Gpu | undefined>();

  constructor(service: RedfishService, clock: Clock) {
    this.#service = service;
    this.#clock = clock;
  }

  /** Every fabric. One that cannot be read is a failure of all: what is free on it cannot be told. */
  readAll({ fabrics: uri, expand: manner }: Layout, context: CallContext): Promise<All<FabricRead>> {
    const expand = manner === undefined ? undefined : '.($levels=1)';
    const complete = (one: string, fabric: Fabric) => this.#complete(one, fabric, expand, context);
    return readAll(this.#service, { uri, decode: decode.fabric, expand, broken: 'failure', complete }, context);
  }

  /** The GPU at a URI; undefined where there is none, or where it cannot be read now. */
  async gpuAt(uri: string, context: CallContext): Promise<Gpu | undefined> {
    if (this.#gpus.has(uri)) return this.#gpus.get(uri);
    const read = await this.#service.get(uri, decode.processor, context);
    if (read.tag === 'failed') return undefined;
    const gpu = read.tag === 'ok' ? gpuOf(read.value) : undefined;
    this.#gpus.set(uri, gpu);
    return gpu;
  }

  async #complete(
    uri: string,
    fabric: Fabric,
    expand: string | undefined,
    context: CallContext,
  ): Promise<Read<FabricRead>> {
    const connectionsUri = belowParent(uri, 'Connections', fabric.Connections?.['@odata.id']);
    const connections = await readAll(
      this.#service,
      {
        uri: connectionsUri,
        decode: decode.connection,
        expand,
        broken: 'failure',
        complete: (one, connection) => Promise.resolve({ tag: 'ok', value: { uri: one, connection } }),
      },
      context,
    );
    if (connections.tag === 'failed') return connections;
    const endpoints = await this.#readEndpoints(uri, fabric, expand, context);
    if (endpoints.tag === 'failed') return endpoints;
    const value: FabricRead = {
      uri,
      connectionsUri,
      isSunfish: fabric.Oem?.Sunfish_RM !== undefined,
      endpoints: endpoints.value,
      unread: endpoints.unread,
      connections: connections.items,
    };
    return { tag: 'ok', value } as const;
  }

  async #readEndpoints(uri: string, fabric: Fabric, expand: string | undefined, context: CallContext) {
    const now = this.#clock.monotonic();
    const kept = this.#endpoints.get(uri);
    if (kept !== undefined && now - kept.atMs < KEPT_MS) {
      return { tag: 'ok', value: kept.endpoints, unread: undefined } as const;
    }
    const collection = belowParent(uri, 'Endpoints', fabric.Endpoints?.['@odata.id']);
    const found = await readMembers(this.#service, collection, decode.endpoint, context, expand);
    if (found.tag === 'failed') return found;
    const endpoints = found.members.flatMap((one) =>
      one.read.tag === 'ok' ? [endpointOf(one.uri, one.read.value)] : [],
    );
    const broken = found.members.find(({ read }) => read.tag === 'failed');
    const unread = broken?.read.tag === 'failed' ? broken.read.failure : undefined;
    if (unread === undefined) this.#endpoints.set(uri, { endpoints, atMs: now });
    return { tag: 'ok', value: endpoints, unread } as const;
  }
}

function endpointOf(uri: string, { ConnectedEntities: entities }: Endpoint): EndpointRead {
  const [entity] = entities ?? [];
  const link = entity?.EntityLink?.['@odata.id'];
  return {
    uri,
    role: entity?.EntityRole,
    entity: link !== undefined && isUri(link) ? link : undefined,
    durableName: entity?.Identifiers?.find(({ DurableNameFormat }) => DurableNameFormat === 'GCXLID')?.DurableName,
  };
}

/** The endpoint by which a system reaches a fabric. */
export function initiatorOf(fabric: FabricRead, systemUri: string): EndpointRead | undefined {
  return fabric.endpoints.find(
    ({ role, entity }) => role !== 'Target' && entity !== undefined && isWithin(entity, systemUri),
  );
}

/** The endpoints of devices that no connection uses. What endpoints themselves say of connections is often out of date. */
export function freeTargets(fabric: FabricRead): readonly EndpointRead[] {
  const used = new Set(fabric.connections.flatMap(({ connection }) => targetsOf(connection)));
  return fabric.endpoints.filter(({ uri, role }) => role !== 'Initiator' && !used.has(uri));
}

/** URIs of the devices' endpoints of a connection. */
export function targetsOf({ Links: links }: Connection): readonly string[] {
  return (links?.TargetEndpoints ?? []).map((target) => target['@odata.id']);
}

/** The machine at the other end of a connection. */
export function machineOf(fabric: FabricRead, { Links: links }: Connection, layout: Layout): string | undefined {
  const initiators = (links?.InitiatorEndpoints ?? []).map((initiator) => initiator['@odata.id']);
  const endpoint = fabric.endpoints.find(({ uri }) => initiators.includes(uri));
  if (endpoint?.entity === undefined || !isWithin(endpoint.entity, layout.systems)) return undefined;
  return lastSegment(endpoint.entity.slice(layout.systems.length + 1).split('/')[0] ?? '');
}
