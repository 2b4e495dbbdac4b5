import { readComputeApps, type ComputeApp } from './compute-apps.ts';
import { readDrainState, type DrainState } from './drain-state.ts';
import { readMigOwners } from './gpu-list.ts';
import { readHolders, type Holder } from './holders.ts';
import { readInformation, type DriverGpu } from './information.ts';
import { readPersistenced, type Persistenced } from './persistenced.ts';
import { ok, wrong, type Read } from './read.ts';
import { readReport, saidIn, type Report, type Said } from './report.ts';

/** What the driver has. */
export interface Look {
  readonly gpus: readonly DriverGpu[];
  readonly persistenced: Persistenced;
}

/** Who uses the GPUs of a node: see `LOAD`. */
export interface Load extends Look {
  readonly apps: readonly ComputeApp[];
  readonly holders: readonly Holder[];
}

/** How a GPU is when its persistence mode was switched off, or was to be: see `QUIESCE`. */
export interface Quiesced extends Look {
  /** Absent where the GPU was not there. */
  readonly state: DrainState | undefined;
  /** What `-pm 0` said; absent where the GPU was not there, or was left as it is because processes have it open. */
  readonly mode: Said | undefined;
  readonly virtual: boolean;
  /** Processes that wait in the kernel until it has removed the GPU. */
  readonly removing: readonly string[];
  /** Kernel modules whose names begin with `nvidia`. */
  readonly modules: readonly string[];
  readonly holders: readonly Holder[];
}

/** Steps of a removal, in their order. */
const REMOVAL_STEPS = ['start', 'unlink', 'unload', 'remove'] as const;

/** What came of a removal: see `REMOVE_ON_HOST`. */
export interface Removed extends Look {
  /** The last step that was run, which alone may have failed; undefined where the GPU was not at its address. */
  readonly last: { readonly step: (typeof REMOVAL_STEPS)[number]; readonly said: Said } | undefined;
}

/** Reads what a removal wrote. */
export function readRemoved(text: string): Read<Removed> {
  const report = readReport(text);
  if (report.tag === 'wrong') return report;
  const look = lookIn(report.value);
  if (look.tag === 'wrong') return look;
  let last: Removed['last'];
  for (const step of REMOVAL_STEPS) {
    const said = saidIn(report.value, step);
    if (said.tag === 'wrong') return said;
    if (said.value !== undefined) last = { step, said: said.value };
  }
  return ok({ ...look.value, last });
}

/** Reads what `LOAD` wrote. */
export function readLoad(text: string): Read<Load> {
  const report = readReport(text);
  if (report.tag === 'wrong') return report;
  const look = lookIn(report.value);
  if (look.tag === 'wrong') return look;
  const apps = appsIn(report.value);
  if (apps.tag === 'wrong') return apps;
  const holders = readHolders(report.value);
  return holders.tag === 'wrong' ? holders : ok({ ...look.value, apps: apps.value, holders: holders.value });
}

/** Reads what `QUIESCE` wrote. */
export function readQuiesced(text: string): Read<Quiesced> {
  const report = readReport(text);
  if (report.tag === 'wrong') return report;
  const look = lookIn(report.value);
  if (look.tag === 'wrong') return look;
  const holders = readHolders(report.value);
  if (holders.tag === 'wrong') return holders;
  const [machine = ''] = report.value.of('machine');
  if (machine !== 'virtual' && machine !== 'physical') return wrong('machine', machine, 'virtual or physical');
  const state = stateIn(report.value);
  if (state.tag === 'wrong') return state;
  const mode = saidIn(report.value, 'mode');
  if (mode.tag === 'wrong') return mode;
  const removing = report.value.of('removing');
  const rest = { virtual: machine === 'virtual', modules: report.value.of('module'), holders: holders.value, removing };
  return ok({ ...look.value, ...rest, state: state.value, mode: mode.value });
}

function lookIn(report: Report): Read<Look> {
  const gpus = readInformation(report.of('gpu'));
  if (gpus.tag === 'wrong') return gpus;
  const persistenced = readPersistenced(report);
  return persistenced.tag === 'wrong' ? persistenced : ok({ gpus: gpus.value, persistenced: persistenced.value });
}

function stateIn(report: Report): Read<DrainState | undefined> {
  const said = saidIn(report, 'drain');
  if (said.tag === 'wrong') return said;
  return said.value === undefined ? ok(undefined) : readDrainState(said.value);
}

function appsIn(report: Report): Read<readonly ComputeApp[]> {
  const apps = saidIn(report, 'apps');
  if (apps.tag === 'wrong') return apps;
  if (apps.value === undefined) return wrong('compute processes', '', 'an exit code');
  const mig = saidIn(report, 'mig');
  if (mig.tag === 'wrong') return mig;
  const owners = mig.value === undefined ? ok(new Map()) : readMigOwners(mig.value);
  return owners.tag === 'wrong' ? owners : readComputeApps(apps.value, owners.value);
}
