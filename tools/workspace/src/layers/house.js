// The house, from the front door down: what ships imports from the lines below its own, and never from its own line.
const HOUSE = [
  ['apps/operator', 'apps/webhook'],
  ['packages/operator'],
  ['packages/webhook'],
  ['packages/node-device'],
  ['packages/cdi-fti', 'packages/cdi-nec', 'packages/cdi-sunfish'],
  ['packages/cdi-core'],
  ['packages/kube-runtime'],
  ['packages/state-machines'],
  ['packages/allocation-policy'],
  ['packages/crd-types'],
  ['packages/clock'],
];

const CLOCK = 'packages/clock';

/** What may import less than its place allows: the pure packages know no clock, the runtime knows nothing of this project. */
const STRICTER = new Map([
  ['packages/crd-types', []],
  ['packages/allocation-policy', ['packages/crd-types']],
  ['packages/state-machines', ['packages/crd-types', 'packages/allocation-policy']],
  ['packages/kube-runtime', [CLOCK]],
]);

/** Beside the house: imported by tests and tools only. The API server imports nothing of ours. */
const SIMULATORS = new Map([
  ['packages/kube-sim', []],
  ['packages/fabric-sim', [CLOCK]],
  ['packages/node-sim', [CLOCK, 'packages/fabric-sim']],
]);

/** Folders of everything that has a place in the house, or beside it. */
export const PLACES = [...HOUSE.flat(), ...SIMULATORS.keys()];

/** Folders whose sources the sources of `folder` may import. */
export function mayImport(folder) {
  const below = HOUSE.slice(HOUSE.findIndex((line) => line.includes(folder)) + 1).flat();
  return SIMULATORS.get(folder) ?? STRICTER.get(folder) ?? below;
}

/** Folders that the tests of `folder` may import: what its sources may, and the simulators. */
export function mayImportInTests(folder) {
  return [...mayImport(folder), ...SIMULATORS.keys(), CLOCK];
}
