import type { CallKind } from '../core/call.ts';
import type { Reply } from '../core/http.ts';
import { systemReply } from './change-blocks.ts';
import type { RedfishContext } from './context.ts';
import { find } from './entry.ts';
import { missing } from './errors.ts';
import { expand, expansionOf } from './expand.ts';
import { BLOCKS, lastSegment, SYSTEMS } from './uris.ts';

/** What a GET is counted as: `get` a machine, `list` all of them, `inventory` what is or may be attached. */
export function kindOfRead(uri: string): CallKind {
  if (uri === SYSTEMS) return 'list';
  if (uri.startsWith(`${SYSTEMS}/`)) return 'get';
  return uri.startsWith(BLOCKS) || /\/(?:Fabrics|Chassis)(?:\/|$)/.test(uri) ? 'inventory' : 'other';
}

/** The machine that a URI is about. */
export function machineIn(uri: string): string | undefined {
  return uri.startsWith(`${SYSTEMS}/`) ? uri.slice(SYSTEMS.length + 1).split('/')[0] : undefined;
}

/** GET of any resource. */
export function read(context: RedfishContext, uri: string, url: URL): Reply {
  const entry = find(context.root, uri);
  if (entry === undefined) return missing(uri);
  const machine = machineIn(uri);
  if (machine !== undefined && lastSegment(uri) === machine) return systemReply(context, machine);
  const by = context.state.style.expand ? expansionOf(url) : undefined;
  if (by === undefined) return { tag: 'json', status: 200, body: entry.body() };
  const look = (reference: string) => {
    const holder = machineIn(reference);
    // A system that cannot be read stays a bare reference, and does not spoil the whole answer.
    if (holder !== undefined && context.faults.wouldBreak('get', holder)) return undefined;
    return find(context.root, reference)?.body();
  };
  return { tag: 'json', status: 200, body: expand(entry.body(), by, look) };
}
