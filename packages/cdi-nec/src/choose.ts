import { isFabricId, type AttachRequest, type CallContext, type OperationFabric } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import { listUnused } from './calls.ts';
import { readDevice, type Cdim } from './cdim.ts';
import { failureOf } from './failures.ts';
import { hintsOf, isBuiltIn, isGpu, isModel, isUnderMaintenance, isUnlinked } from './gpu.ts';
import { readHistory } from './history.ts';
import type { Notes } from './notes.ts';
import { readableOf } from './readable.ts';
import { sourceOf } from './source.ts';
import type { Resource } from './wire.ts';

type Chosen = Awaited<ReturnType<OperationFabric<Notes>['choose']>>;

/** Most devices that are looked at again before the rest of the choice is left for the next try. */
const MOST_LOOKS = 5;

/** Chooses a free GPU of the model, in the order of their ids. Connecting one that is taken would stop CDIM for everybody. */
export async function choose(cdim: Cdim, request: AttachRequest, context: CallContext): Promise<Chosen> {
  const { type, model, machine } = request;
  if (type !== 'gpu') return rejected(`CDIM attaches GPUs; devices of type ${type} are not supported`);
  if (!isFabricId(machine)) return rejected('the machine id holds characters that no id of CDIM has: correct the Node');
  const source = await sourceOf(cdim, machine, context);
  if (source.tag === 'failed') return source;
  const history = await readHistory(cdim, context);
  if (history.tag === 'failed') return history;
  const free = await freeGpus(cdim, model, context);
  if (free.tag === 'failed') return free;
  const claimed = new Set(request.claimed);
  const candidates = free.gpus
    .filter(({ device }) => !claimed.has(device.deviceID) && !cdim.notebook.isRefused(device.deviceID))
    .sort((a, b) => (a.device.deviceID < b.device.deviceID ? -1 : 1));
  for (const { device } of candidates.slice(0, MOST_LOOKS)) {
    const again = await readDevice(cdim, device.deviceID, context);
    if (again.tag === 'failed') return again;
    if (again.tag === 'unknown' || !isFree(again.resource)) continue;
    const notes: Notes = { dialect: source.dialect, source: source.source, ...history.marker };
    return { tag: 'chosen', subject: { cdiDeviceId: device.deviceID, hints: hintsOf(again.resource.device), notes } };
  }
  return { tag: 'failed', failure: { kind: 'Exhausted', message: `CDIM has no free gpu of model '${model}'` } };
}

/** The GPUs of a model that nobody has, as configuration-manager shows them. */
export async function freeGpus(
  { client, places, config, host, notebook }: Cdim,
  model: string,
  context: CallContext,
): Promise<
  { readonly tag: 'gpus'; readonly gpus: readonly Resource[] } | { readonly tag: 'failed'; readonly failure: Failure }
> {
  const answer = await client.call(listUnused(places, config.resourceGroups ?? []), context);
  if (answer.tag !== 'ok') return { tag: 'failed', failure: failureOf('CDIM unused resources', answer) };
  const gpus = readableOf(answer.value, host.log).filter(
    (resource) =>
      isGpu(resource.device) &&
      isModel(resource.device, model) &&
      isFree(resource) &&
      notebook.movedTo(resource.device.deviceID)?.machine === undefined,
  );
  return { tag: 'gpus', gpus };
}

/** Power is no criterion: CDIM switches devices off that nobody has. */
function isFree(resource: Resource): boolean {
  const { device, detected, nodeIDs = [] } = resource;
  return (
    detected !== false &&
    nodeIDs.length === 0 &&
    isUnlinked(device) &&
    !isBuiltIn(device) &&
    !isUnderMaintenance(resource)
  );
}

function rejected(message: string): Chosen {
  return { tag: 'failed', failure: { kind: 'Rejected', message } };
}
