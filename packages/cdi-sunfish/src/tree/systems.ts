import { isFabricId, type CallContext } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import type { Read, RedfishService } from '../redfish/service.ts';
import { isUri, lastSegment } from '../redfish/uri.ts';
import { decode, type System } from '../redfish/wire.ts';
import { readMembers } from './members.ts';
import type { Layout } from './root.ts';

/** A machine's system, with what came of reading it. */
export interface SystemRead {
  /** Its Id in URIs: what the operator calls the machine. */
  readonly machine: string;
  readonly uri: string;
  readonly read: Read<System>;
}

/** Every system, or why their collection cannot be read. */
export type Systems =
  | { readonly tag: 'ok'; readonly systems: readonly SystemRead[] }
  | { readonly tag: 'failed'; readonly failure: Failure };

/** Reads every system. With `withBlocks` their blocks come along where the service can do that. */
export async function readSystems(
  service: RedfishService,
  layout: Layout,
  context: CallContext,
  withBlocks = false,
): Promise<Systems> {
  const deep = withBlocks && layout.expand === '*' && layout.maxLevels >= 2;
  const expand = layout.expand === undefined ? undefined : deep ? '*($levels=2)' : '.($levels=1)';
  const found = await readMembers(service, layout.systems, decode.system, context, expand);
  if (found.tag === 'failed') return found;
  const systems = found.members.map(({ uri, read }) => ({ machine: lastSegment(uri), uri, read }));
  return { tag: 'ok', systems: systems.filter(({ machine }) => isFabricId(machine)) };
}

/** Reads one machine's system. */
export function readSystem(
  service: RedfishService,
  layout: Layout,
  machine: string,
  context: CallContext,
): Promise<Read<System>> {
  return service.get(systemUri(layout, machine), decode.system, context);
}

/** Where a machine's system is. */
export function systemUri(layout: Layout, machine: string): string {
  return `${layout.systems}/${machine}`;
}

/** The URIs of the blocks in a system, in their order. */
export function blocksIn(system: System): readonly string[] {
  return (system.Links?.ResourceBlocks ?? []).flatMap((item) => {
    const reference = decode.ref(item);
    return reference.tag === 'ok' && isUri(reference.object['@odata.id']) ? [reference.object['@odata.id']] : [];
  });
}
