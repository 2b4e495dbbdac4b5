import type { CallContext } from '@cro/cdi-core';
import type { Decoded } from '@cro/crd-types';
import type { Read, RedfishService } from '../redfish/service.ts';
import { readMembers } from './members.ts';

/** Beginning of the names of everything that this provider makes. What is not named so is not ours, and is left alone. */
const PREFIX = 'cro-';

/** The name of what is made under an id. It fits into a label. */
export function ownName(id: string): string {
  return `${PREFIX}${id}`.slice(0, 63);
}

/** The name of an object of ours: its Id, or its Name where the service gives out Ids itself. Undefined: it is not ours. */
export function ownNameOf(object: { readonly Id?: string; readonly Name?: string }): string | undefined {
  return [object.Id, object.Name].find((name) => name?.startsWith(PREFIX) === true);
}

/** An object that was found, and where. */
export interface Found<T> {
  readonly uri: string;
  readonly value: T;
}

/** Where an object of ours should be. `keepsIds`: the service takes the Ids that it is told, so there is no other place. */
export interface Place {
  readonly collection: string;
  readonly name: string;
  readonly keepsIds: boolean;
}

/** Finds an object of ours by its name: under its own URI, else, where the service gave it another Id, in its collection. */
export async function findNamed<T extends { readonly Id?: string; readonly Name?: string }>(
  service: RedfishService,
  { collection, name, keepsIds }: Place,
  decodeBody: (value: unknown) => Decoded<T>,
  context: CallContext,
): Promise<Read<Found<T>>> {
  const uri = `${collection}/${name}`;
  const direct = await service.get(uri, decodeBody, context);
  if (direct.tag === 'ok') return { tag: 'ok', value: { uri, value: direct.value } };
  if (direct.tag === 'failed' || keepsIds) return direct;
  const all = await readMembers(service, collection, decodeBody, context);
  if (all.tag === 'failed') return all;
  for (const { uri: other, read } of all.members) {
    if (read.tag === 'ok' && ownNameOf(read.value) === name)
      return { tag: 'ok', value: { uri: other, value: read.value } };
  }
  return direct;
}
