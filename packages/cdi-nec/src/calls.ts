import type { JsonCall } from '@cro/cdi-core';
import type { NecConfig } from './config.ts';
import {
  decodeAccepted,
  decodeAnything,
  decodeApplies,
  decodeApply,
  decodeDevice,
  decodeResource,
  decodeResources,
  decodeSteered,
  type Applies,
  type Apply,
  type Device,
  type Resource,
  type Resources,
} from './wire.ts';

/** The base URLs, without a slash at their end. */
export interface Places {
  readonly manager: string;
  readonly apply: string;
  readonly hwControl: string | undefined;
  readonly exporter: string | undefined;
}

/** Where the services of a configuration are. */
export function placesOf({ configurationManager, layoutApply, hwControl, exporter }: NecConfig): Places {
  return {
    manager: trimmed(configurationManager),
    apply: trimmed(layoutApply),
    hwControl: hwControl === undefined ? undefined : trimmed(hwControl),
    exporter: exporter === undefined ? undefined : trimmed(exporter),
  };
}

/** Everything that CDIM knows of, in full: one call. */
export function listResources({ manager }: Places): JsonCall<Resources> {
  return { what: 'CDIM resources', method: 'GET', url: `${manager}/resources?detail=true`, decode: decodeResources };
}

/** One resource, in full. */
export function getResource({ manager }: Places, id: string): JsonCall<Resource> {
  const url = `${manager}/resources/${encodeURIComponent(id)}`;
  return { what: 'CDIM resource', method: 'GET', url, decode: decodeResource };
}

/** What is detected, healthy, not under maintenance and linked to nothing. */
export function listUnused({ manager }: Places, groups: readonly string[]): JsonCall<Resources> {
  const query = new URLSearchParams();
  for (const group of groups) query.append('resourceGroupID', group);
  const url = `${manager}/resources/unused${groups.length === 0 ? '' : `?${query.toString()}`}`;
  return { what: 'CDIM unused resources', method: 'GET', url, decode: decodeResources };
}

/** A device as the hardware has it now. */
export function getHardware(hwControl: string, id: string): JsonCall<Device> {
  const url = `${hwControl}/devices/${encodeURIComponent(id)}`;
  return { what: 'CDIM hw-control device', method: 'GET', url, decode: decodeDevice };
}

/** Asks for a synchronisation of what CDIM knows with the hardware: accepted, and done later. */
export function synchronise(exporter: string): JsonCall<unknown> {
  const url = `${exporter}/devices/sync`;
  return { what: 'CDIM synchronisation', method: 'POST', url, decode: decodeAnything, mayBeEmpty: true };
}

/** Asks for one step. */
export function postApply({ apply }: Places, step: Readonly<Record<string, unknown>>): JsonCall<{ applyID: string }> {
  const body = { procedures: [{ operationID: 1, dependencies: [], ...step }] };
  return { what: 'CDIM layout-apply', method: 'POST', url: `${apply}/layout-apply`, body, decode: decodeAccepted };
}

/** One apply, with everything that became of it. */
export function getApply({ apply }: Places, applyID: string): JsonCall<Apply> {
  const url = `${apply}/layout-apply/${encodeURIComponent(applyID)}`;
  return { what: 'CDIM layout-apply status', method: 'GET', url, decode: decodeApply };
}

/** Ends an apply, or goes on with a suspended one. */
export function steerApply(
  { apply }: Places,
  applyID: string,
  action: 'cancel' | 'resume',
): JsonCall<{ status: string }> {
  const url = `${apply}/layout-apply/${encodeURIComponent(applyID)}?action=${action}`;
  return { what: `CDIM layout-apply ${action}`, method: 'PUT', url, decode: decodeSteered };
}

/** The newest applies, the last one first. */
export function newestApplies({ apply }: Places): JsonCall<Applies> {
  const url = `${apply}/layout-apply?limit=20`;
  return { what: 'CDIM layout-apply history', method: 'GET', url, decode: decodeApplies };
}

/** The applies since a time, which is one that the server itself wrote, with what they were to do. */
export function appliesSince({ apply }: Places, since: string | undefined): JsonCall<Applies> {
  const search = new URLSearchParams({ fields: 'procedures', limit: '100' });
  if (since !== undefined) search.set('startedAtSince', since);
  const url = `${apply}/layout-apply?${search.toString()}`;
  return { what: 'CDIM layout-apply history', method: 'GET', url, decode: decodeApplies };
}

function trimmed(url: string): string {
  return url.replace(/\/$/, '');
}
