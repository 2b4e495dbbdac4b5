import type { JsonCall } from '@cro/cdi-core';
import { decodeAnything, decodeMachine, type WireMachine } from './wire.ts';

/** What every call needs: where the Cluster Manager is, and whose machines are meant. */
export interface CmPlace {
  /** `https://host:port/`. */
  readonly base: string;
  readonly tenantId: string;
  readonly clusterId: string;
}

/** One machine, its specs and their devices. */
export function getMachine(place: CmPlace, machine: string): JsonCall<WireMachine> {
  return { what: 'CM get', method: 'GET', url: urlOf(place, machine), decode: decodeMachine };
}

/** "So many of this spec in all": accepted now, done later. */
export function scaleUp(place: CmPlace, machine: string, specUuid: string, count: number): JsonCall<unknown> {
  const body = { increase_resource_count: { spec_uuid: specUuid, device_count: count } };
  return resize('CM scaleup', place, machine, body);
}

/** "This device away, which leaves so many": accepted now, done later. */
export function scaleDown(
  place: CmPlace,
  machine: string,
  specUuid: string,
  left: number,
  device: string,
): JsonCall<unknown> {
  const body = { remove_resources: { spec_uuid: specUuid, device_count: left, devices: [device] } };
  return resize('CM scaledown', place, machine, body);
}

function resize(what: string, place: CmPlace, machine: string, body: unknown): JsonCall<unknown> {
  const url = `${urlOf(place, machine)}/actions/resize`;
  return { what, method: 'POST', url, body, decode: decodeAnything, mayBeEmpty: true };
}

function urlOf({ base, tenantId, clusterId }: CmPlace, machine: string): string {
  const [tenant, cluster, mach] = [tenantId, clusterId, machine].map((part) => encodeURIComponent(part));
  return `${base}cluster_manager/cluster_autoscaler/v3/tenants/${tenant}/clusters/${cluster}/machines/${mach}`;
}
