import type { Failure } from '@cro/crd-types';
import type { AttachMethod } from '../config.ts';
import { isWithin } from '../redfish/uri.ts';
import type { System } from '../redfish/wire.ts';
import type { Layout } from '../tree/root.ts';
import type { ByAction, ByPatch } from './notes.ts';

/** How a system's devices are attached. */
export type Method =
  | { readonly tag: 'action'; readonly add: string; readonly remove: string }
  | { readonly tag: 'patch' }
  | { readonly tag: 'connection' }
  | { readonly tag: 'none'; readonly failure: Failure };

/**
 * Picks the way in which a system gets devices (nec-and-sunfish.md, 2.5): by its own actions, else by its list of blocks, else by a
 * connection on a fabric. Configuration overrides what is offered.
 */
export function methodOf(system: System, uri: string, layout: Layout, wish: AttachMethod): Method {
  const blocks = wish === 'connections' || layout.blocks === undefined ? undefined : blockMethod(system, uri);
  if (blocks !== undefined) return blocks;
  if (wish !== 'resourceBlocks' && layout.fabrics !== undefined) return { tag: 'connection' };
  const offered = 'neither AddResourceBlock, nor a list of resource blocks, nor a fabric with endpoints';
  const message = `${uri}: the service offers no way to attach a device (attachMethod is ${wish}): ${offered}`;
  return { tag: 'none', failure: { kind: 'Rejected', message } };
}

function blockMethod(system: System, uri: string): Method | undefined {
  const add = system.Actions?.['#ComputerSystem.AddResourceBlock']?.target;
  const remove = system.Actions?.['#ComputerSystem.RemoveResourceBlock']?.target;
  if (add !== undefined && remove !== undefined && isWithin(add, uri) && isWithin(remove, uri)) {
    return { tag: 'action', add, remove };
  }
  const isExpandable = system.Composition?.UseCases?.includes('ExpandableSystem') === true;
  return isExpandable || system.Links?.ResourceBlocks !== undefined ? { tag: 'patch' } : undefined;
}

/** The notes of a block that is attached that way. */
export function blockNotes(method: Method, system: string, block: string): ByAction | ByPatch | undefined {
  switch (method.tag) {
    case 'action':
      return { method: 'action', system, block, add: method.add, remove: method.remove };
    case 'patch':
      return { method: 'patch', system, block };
    case 'connection':
    case 'none':
      return undefined;
    default:
      return method satisfies never;
  }
}
