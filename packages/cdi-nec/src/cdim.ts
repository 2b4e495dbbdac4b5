import { jsonClient, Pace, secretToken, type CallContext, type JsonClient, type ProviderHost } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import { getHardware, getResource, placesOf, type Places } from './calls.ts';
import type { NecConfig } from './config.ts';
import { Directory } from './directory.ts';
import { failureOf } from './failures.ts';
import { Notebook } from './notebook.ts';
import { Synchroniser } from './synchroniser.ts';
import type { Resource } from './wire.ts';

/** Bounds of one call, in milliseconds. A change is accepted at once: layout-apply works on it by itself. */
export const TIMEOUTS = { read: 30_000, mutate: 30_000 };

/** One CDIM, and what this process remembers of it. */
export interface Cdim {
  readonly host: ProviderHost;
  readonly config: NecConfig;
  readonly places: Places;
  readonly client: JsonClient;
  readonly directory: Directory;
  readonly notebook: Notebook;
  readonly synchroniser: Synchroniser;
  /** Since when this process looks at each apply. */
  readonly pace: Pace;
}

/** Makes the client of one CDIM. Nothing is called yet. */
export function cdimOf(host: ProviderHost, config: NecConfig): Cdim {
  const places = placesOf(config);
  const { token, caFile } = config;
  const tokens = token === undefined ? {} : { tokens: secretToken(host.secret, token) };
  const client = jsonClient(host, { ...tokens, caFile });
  return {
    host,
    config,
    places,
    client,
    directory: new Directory(host, client, places, config.dialect),
    notebook: new Notebook(host.clock, config.viewLagSeconds * 1_000),
    synchroniser: new Synchroniser(host, client, places.exporter),
    pace: new Pace(host.clock),
  };
}

/** A device as it is: by hw-control where it is configured, else as configuration-manager shows it. */
export async function readDevice(
  { client, places }: Cdim,
  id: string,
  context: CallContext,
): Promise<
  | { readonly tag: 'resource'; readonly resource: Resource }
  | { readonly tag: 'unknown' }
  | { readonly tag: 'failed'; readonly failure: Failure }
> {
  const shown = await client.call(getResource(places, id), context);
  if (shown.tag === 'status' && shown.status === 404) return { tag: 'unknown' };
  if (shown.tag !== 'ok') return { tag: 'failed', failure: failureOf('CDIM resource', shown) };
  if (places.hwControl === undefined) return { tag: 'resource', resource: shown.value };
  const real = await client.call(getHardware(places.hwControl, id), context);
  if (real.tag === 'status' && real.status === 404) return { tag: 'unknown' };
  if (real.tag !== 'ok') return { tag: 'failed', failure: failureOf('CDIM hw-control device', real) };
  // Where it is, the hardware knows; what is noted of it, only configuration-manager does.
  const { links = [] } = real.value;
  return { tag: 'resource', resource: { ...shown.value, nodeIDs: [], device: { ...shown.value.device, links } } };
}
