import { headerOf, type Reply, type SimRequest } from '../core/http.ts';
import { parseJson } from '../core/decode.ts';
import { effectsOf, type Effect } from '../faults/effect.ts';
import { run } from './changes.ts';
import type { RedfishContext } from './context.ts';
import { find } from './entry.ts';
import { missing, redfishError } from './errors.ts';
import { blockUri, computeBlockId, lastSegment, systemUri } from './uris.ts';
import { blocksIn } from './views/systems.ts';

/** What a list of blocks changes about a machine. */
export interface BlockPlan {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Reads `Links.ResourceBlocks` of a PATCH: the whole list, where `{}` keeps an element and `null` takes it out (DSP0266). */
export function listIn(request: SimRequest, present: readonly string[]): readonly string[] | undefined {
  const parsed = parseJson(request.body ?? '');
  const list = parsed.tag === 'value' ? at(at(parsed.value, 'Links'), 'ResourceBlocks') : undefined;
  if (!Array.isArray(list)) return undefined;
  const items: readonly unknown[] = list;
  const uris = items.flatMap((item, index): (string | undefined)[] => {
    if (item === null) return [];
    if (typeof item === 'object' && Object.keys(item).length === 0) return [present[index]];
    const uri = at(item, '@odata.id');
    return [typeof uri === 'string' ? uri : undefined];
  });
  return uris.every((uri) => uri !== undefined) ? uris : undefined;
}

/** What a new list changes. */
export function planOf(present: readonly string[], wanted: readonly string[]): BlockPlan {
  return {
    added: wanted.filter((uri) => !present.includes(uri)),
    removed: present.filter((uri) => !wanted.includes(uri)),
  };
}

/** Changes the blocks of a machine. */
export function changeBlocks(
  context: RedfishContext,
  request: SimRequest,
  machUuid: string,
  plan: BlockPlan,
  effects: readonly Effect[],
): Promise<Reply> | Reply {
  const wrong = check(context, machUuid, plan);
  if (wrong !== undefined) return wrong;
  const { pool } = context.state;
  const added = plan.added.map(lastSegment);
  const removed = plan.removed.map(lastSegment);
  const ms = [...added.map(() => context.attachMs()), ...removed.map(() => context.detachMs())];
  const release = () => {
    for (const id of added) {
      const placement = pool.placement(id);
      if (placement.tag === 'reserved' && placement.machine === machUuid) pool.move(id, undefined);
    }
  };
  const change = {
    machine: machUuid,
    ms: ms.reduce((sum, one) => sum + one, 0),
    take: () => {
      if (added.every((id) => pool.hold(id, machUuid))) return undefined;
      release();
      return inUse();
    },
    make: () => {
      for (const id of added) {
        for (const { opStatus } of effectsOf(effects, 'arrive')) pool.setOpStatus(id, opStatus);
        pool.move(id, machUuid);
      }
      for (const id of removed) pool.move(id, undefined);
      context.etags.bump(systemUri(machUuid));
      return systemReply(context, machUuid);
    },
    giveUp: release,
  };
  return run(context, request, change, effects);
}

function check({ state }: RedfishContext, machUuid: string, { added, removed }: BlockPlan): Reply | undefined {
  const { pool } = state;
  if (removed.includes(blockUri(computeBlockId(machUuid)))) {
    return redfishError(
      406,
      'Composition.1.1.ResourceBlockInvalid',
      'The compute block of a system cannot be removed.',
    );
  }
  for (const uri of added) {
    const device = pool.device(lastSegment(uri));
    if (device?.type !== 'gpu' || uri !== blockUri(device.resUuid)) {
      return redfishError(404, 'Composition.1.1.ResourceBlockNotFound', 'The resource block was not found.');
    }
    if (pool.placement(device.resUuid).tag !== 'free') return inUse();
    const [own, its] = [state.style.zones[machUuid], state.style.zones[device.resUuid]];
    if (own !== undefined && its !== undefined && own !== its) {
      return redfishError(406, 'Composition.1.1.IncompatibleZone', 'The resource blocks are in different zones.');
    }
  }
  return undefined;
}

function inUse(): Reply {
  return redfishError(409, 'Composition.1.1.ResourceBlockInUse', 'The resource block is in use by another system.');
}

/** A system as it is now, with its ETag. */
export function systemReply({ root, etags, etagRule }: RedfishContext, machUuid: string): Reply {
  const uri = systemUri(machUuid);
  const entry = find(root, uri);
  if (entry === undefined) return missing(uri);
  const etag = etags.of(uri);
  const headers = etagRule === 'none' ? {} : { etag };
  return { tag: 'json', status: 200, body: entry.body(), headers };
}

/** Why a change is not let in because of its `If-Match`, if it is not. */
export function refuseMatch({ etags, etagRule }: RedfishContext, request: SimRequest, uri: string): Reply | undefined {
  if (etagRule === 'none') return undefined;
  const given = headerOf(request, 'if-match');
  if (given === undefined) {
    if (etagRule !== 'required') return undefined;
    return redfishError(428, 'Base.1.18.PreconditionRequired', 'A precondition header is required.');
  }
  if (given === '*' || given === etags.of(uri)) return undefined;
  return redfishError(412, 'Base.1.18.PreconditionFailed', 'The ETag supplied does not match the current one.');
}

/** The blocks that are in a machine now. */
export function present(context: RedfishContext, machUuid: string): readonly string[] {
  return blocksIn(context.state, machUuid);
}

/** A field of something that may be an object. */
export function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
