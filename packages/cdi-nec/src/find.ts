import { cleanText, isFabricId, type CallContext, type DetachRequest, type OperationFabric } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import { readDevice, type Cdim } from './cdim.ts';
import { isBuiltIn, isUnlinked, uuidOf } from './gpu.ts';
import { BUSY_RETRY_MS, readHistory } from './history.ts';
import type { Notes } from './notes.ts';
import { sourceOf } from './source.ts';
import { isOn } from './where.ts';

type Found = Awaited<ReturnType<OperationFabric<Notes>['find']>>;

/** Finds the device that is to leave its machine. */
export async function find(cdim: Cdim, request: DetachRequest, context: CallContext): Promise<Found> {
  const named = await idOf(cdim, request, context);
  if (named.tag !== 'id') return named;
  const { id } = named;
  const read = await readDevice(cdim, id, context);
  if (read.tag === 'failed') return read;
  if (read.tag === 'unknown') return gone(cdim, context);
  const { device, nodeIDs = [] } = read.resource;
  if (isBuiltIn(device)) return failed('Rejected', `device '${id}' is part of its server: it cannot be detached`);
  if (isUnlinked(device) && nodeIDs.length === 0) return gone(cdim, context);
  const source = await sourceOf(cdim, request.machine, context);
  if (source.tag === 'failed') return source;
  if (!isOn(read.resource, request.machine, source.source)) {
    return failed(
      'Conflict',
      `device '${id}' is on another machine now and not on '${request.machine}': it is left alone`,
    );
  }
  const history = await readHistory(cdim, context);
  if (history.tag === 'failed') return history;
  const notes: Notes = { dialect: source.dialect, source: source.source, ...history.marker };
  return { tag: 'found', subject: { cdiDeviceId: id, notes } };
}

/** CDIM's own id; else, where CDIM shows UUIDs, the device with that one. */
async function idOf(
  { directory }: Cdim,
  { device }: DetachRequest,
  context: CallContext,
): Promise<{ readonly tag: 'id'; readonly id: string } | { readonly tag: 'failed'; readonly failure: Failure }> {
  const { cdiDeviceId = '', deviceId = '' } = device;
  if (cdiDeviceId !== '') {
    if (isFabricId(cdiDeviceId)) return { tag: 'id', id: cdiDeviceId };
    return failed('Rejected', `'${cleanText(cdiDeviceId)}' is no id of CDIM`);
  }
  const listed = await directory.list(context);
  if (listed.tag === 'failed') return listed;
  const found = listed.resources.find((resource) => uuidOf(resource.device) === deviceId);
  if (found !== undefined) return { tag: 'id', id: found.device.deviceID };
  const message = `CDIM does not know which device node's id '${cleanText(deviceId)}' is: detach it in CDIM, or set status.cdi_device_id`;
  return failed('Blocked', message);
}

/** What is shown may be old: where a synchronisation can be asked for, absence counts after one only. */
async function gone({ synchroniser, places }: Cdim, context: CallContext): Promise<Found> {
  if (places.hwControl !== undefined || (await synchroniser.isFresh(context))) return { tag: 'gone' };
  const message = 'CDIM does not show the device on its machine; a synchronisation is under way, to be certain';
  return { tag: 'failed', failure: { kind: 'Busy', message, retryAfterMs: BUSY_RETRY_MS } };
}

function failed(kind: Failure['kind'], message: string): { readonly tag: 'failed'; readonly failure: Failure } {
  return { tag: 'failed', failure: { kind, message } };
}
