import {
  isFabricId,
  Pace,
  type AcceptingFabric,
  type Asked,
  type Awaited,
  type JsonClient,
  type Progress,
  type ProviderHost,
  type Wanted,
} from '@cro/cdi-core';
import { decoderOf, type Failure } from '@cro/crd-types';
import { Type, type Static } from 'typebox';
import { badMachine } from '../bad-machine.ts';
import { refusedOrInDoubt } from '../certainty.ts';
import { withExhaustion } from '../fm/exhaustion.ts';
import { AtWork } from './at-work.ts';
import { scaleUp, type CmPlace } from './calls.ts';
import { wordsOf } from './failures.ts';
import type { CmDevice, CmRead, CmSpec } from './machine.ts';
import { readMachine } from './read.ts';

const UP = wordsOf('CM scaleup', 'CM scaleup response body');

/** How soon the first look comes after CM has accepted a resize, in milliseconds. */
export const FIRST_LOOK_MS = 1_000;

const Notes = Type.Object({
  specUuid: Type.String({ minLength: 1 }),
  /** How many there were, or were asked for. */
  count: Type.Integer({ minimum: 0 }),
  /** Devices whose add had failed before. */
  failed: Type.Array(Type.String()),
});
type Notes = Static<typeof Notes>;

/** One more device by a resize, which says how many there are to be in all. */
export function attaching(
  host: Pick<ProviderHost, 'clock'>,
  client: JsonClient,
  place: CmPlace,
  settleMs: number,
): AcceptingFabric<Notes, CmRead> {
  const pace = new Pace(host.clock);
  const atWork = new AtWork(new Pace(host.clock), settleMs);
  return {
    pace,
    read: (machine, context) => readMachine(client, place, machine, context),
    decodeNotes: decoderOf(Notes),
    plan: (wanted, read) => {
      const spec = specFor(wanted, read);
      if (spec === undefined) return { tag: 'failed', failure: noSpec(wanted) };
      const failure = atWork.on(wanted.machine, read, spec) ?? full(wanted, spec);
      if (failure !== undefined) return { tag: 'failed', failure };
      const failed = spec.devices.filter(({ stage }) => stage === 'addFailed').map(({ cdiDeviceId }) => cdiDeviceId);
      return { tag: 'planned', notes: { specUuid: spec.specUuid, count: spec.count, failed } };
    },
    async ask(wanted, context, { specUuid, count }): Promise<Asked> {
      if (!isFabricId(wanted.machine)) return { tag: 'refused', failure: badMachine };
      const answer = await client.call(scaleUp(place, wanted.machine, specUuid, count + 1), context);
      // Any success is a promise only: nothing is there before CM says ADD_COMPLETE.
      if (answer.tag === 'ok') return { tag: 'accepted', retryAfterMs: FIRST_LOOK_MS };
      return withExhaustion(client, place, wanted, context, refusedOrInDoubt(UP, answer));
    },
    progress: (awaited, read) => progressOf(awaited, read, settleMs),
  };
}

/** The spec by type and model; of several the one with room. */
function specFor({ type, model }: Wanted, { specs }: CmRead): CmSpec | undefined {
  const fitting = specs.filter((spec) => spec.type === type && spec.model === model);
  return fitting.find((spec) => spec.count < spec.max) ?? fitting[0];
}

function progressOf({ wanted, notes, isKnown, elapsedMs }: Awaited<Notes>, read: CmRead, settleMs: number): Progress {
  const specs = read.specs.filter(({ type, model }) => type === wanted.type && model === wanted.model);
  const newcomers = specs.flatMap(({ devices }) => devices).filter(({ cdiDeviceId }) => !isKnown(cdiDeviceId));
  const coming = newcomers.filter(isComing);
  if (coming.length > 0) return { tag: 'coming', sign: coming.map(({ status }) => status).join() };
  const failed = newcomers.filter(({ stage }) => stage === 'addFailed');
  const mine = failed.find(({ cdiDeviceId }) => !notes.failed.includes(cdiDeviceId));
  if (mine !== undefined) return { tag: 'failed', failure: addFailed(mine) };
  const raised = specs.some(({ specUuid, count }) => specUuid === notes.specUuid && count > notes.count);
  if (raised && elapsedMs < settleMs) return { tag: 'coming' };
  const [before] = failed;
  if (before !== undefined) return { tag: 'none', failure: addFailed(before) };
  return raised ? { tag: 'none', failure: nothingCame(wanted) } : { tag: 'none' };
}

/** On its way, as far as can be told; a device that is there and has no name yet cannot be used. */
function isComing({ stage, cdiDeviceId }: CmDevice): boolean {
  return stage === 'coming' || stage === 'unclear' || (stage === 'there' && cdiDeviceId === '');
}

function noSpec({ type, model, machine }: Wanted): Failure {
  const message = `CM has no resource specification of type ${type} and model ${model} for machine '${machine}': add one there, or correct the model`;
  return { kind: 'Rejected', message };
}

function full({ machine }: Wanted, { count, max, model }: CmSpec): Failure | undefined {
  if (count < max) return undefined;
  const message = `machine '${machine}' has the ${max} devices of model ${model} that CM allows it: free one, or raise max_resspec_count`;
  return { kind: 'Exhausted', message };
}

function addFailed({ reason }: CmDevice): Failure {
  return { kind: 'Unreachable', message: `an error occurred with the resource in CM: '${reason}'` };
}

function nothingCame({ model, machine }: Wanted): Failure {
  const message = `CM accepted one more ${model} for machine '${machine}' and shows no new device: see in CM what became of it`;
  return { kind: 'Unreachable', message };
}
