import type { JsonCall, Leaving, Wanted } from '@cro/cdi-core';
import { decodeAnything, decodeAvailable, decodeMachines, type Available, type Machines } from './wire.ts';

/** What every call needs: where the Fabric Manager is, and whose machines are meant. */
export interface Place {
  /** `https://host:port/`. */
  readonly base: string;
  readonly tenantId: string;
}

/** One machine and what is in it. */
export function getMachine(place: Place, machine: string): JsonCall<Machines> {
  return { what: 'FM get', method: 'GET', url: urlOf(place, segment(machine)), decode: decodeMachines };
}

/** Every machine of the tenant. */
export function listMachines(place: Place): JsonCall<Machines> {
  return { what: 'FM list', method: 'GET', url: urlOf(place, ''), decode: decodeMachines };
}

/** "One more of this model": answered when the device is attached. */
export function scaleUp(place: Place, { machine, type, model }: Wanted): JsonCall<Machines> {
  const spec = { res_type: type, res_spec: { condition: [modelCondition(model)] }, res_num: 1 };
  return {
    what: 'FM scaleup',
    method: 'PATCH',
    url: urlOf(place, `${segment(machine)}/update`),
    body: frame(place, machine, spec),
    decode: decodeMachines,
  };
}

/** "This device away": a DELETE with a body. */
export function scaleDown(place: Place, { machine, type, cdiDeviceId }: Leaving): JsonCall<unknown> {
  return {
    what: 'FM scaledown',
    method: 'DELETE',
    url: urlOf(place, `${segment(machine)}/update`),
    body: frame(place, machine, { res_type: type, res_uuid: cdiDeviceId, res_num: 1 }),
    decode: decodeAnything,
    mayBeEmpty: true,
  };
}

/** How many devices of a model are free for a machine. */
export function available(place: Place, machine: string, model: string): JsonCall<Available> {
  const query = { condition: JSON.stringify(modelCondition(model)) };
  return {
    what: 'FM available',
    method: 'GET',
    url: urlOf(place, `${segment(machine)}/available-reserved-resources`, query),
    decode: decodeAvailable,
  };
}

function urlOf({ base, tenantId }: Place, path: string, query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams({ tenant_uuid: tenantId, ...query });
  return `${base}fabric_manager/api/v1/machines${path}?${search.toString()}`;
}

function segment(machine: string): string {
  return `/${encodeURIComponent(machine)}`;
}

function modelCondition(model: string): { column: string; operator: string; value: string } {
  return { column: 'model', operator: 'eq', value: model };
}

function frame(place: Place, machine: string, spec: Readonly<Record<string, unknown>>): unknown {
  const machines = [{ mach_uuid: machine, resources: [{ res_specs: [spec] }] }];
  return { tenants: { tenant_uuid: place.tenantId, machines } };
}
