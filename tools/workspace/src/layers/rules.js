import { mayImport, mayImportInTests, PLACES } from './house.js';

const MEMBER = '^(?:packages|apps|tools)/[^/]+/';

const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&');
const inside = (folders) => folders.map((folder) => `^${escaped(folder)}/`);

/** A member imports of ours only what `allowed` names, and itself. */
function only(name, comment, part, folder, allowed) {
  return {
    name: `${name} (${folder})`,
    comment,
    severity: 'error',
    from: { path: `^${escaped(folder)}/${part}/` },
    to: { path: MEMBER, pathNot: inside([folder, ...allowed]) },
  };
}

function layerRules(folder) {
  const comment =
    'Imports go down the house only; simulators are for tests and tools (tools/workspace/src/layers/house.js).';
  return [
    only('layers', comment, 'src', folder, mayImport(folder)),
    only('layers-of-tests', comment, 'test', folder, mayImportInTests(folder)),
  ];
}

function declaredRules(member, members) {
  const foldersOf = (names) => members.filter(({ name }) => names.includes(name)).map(({ folder }) => folder);
  const comment = 'What is imported stands in package.json.';
  const shipped = foldersOf(member.dependencies);
  const all = [...shipped, ...foldersOf(member.devDependencies)];
  return [
    only('declared', comment, 'src', member.folder, shipped),
    only('declared-of-tests', comment, 'test', member.folder, all),
  ];
}

/** Rules that hold in every member alike. */
const everywhere = [
  {
    name: 'no-circular',
    comment: 'A cycle has no bottom to start reading at.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'front-door',
    comment:
      'Another package is imported by its name, through what its package.json exports, never by a path into its folder.',
    severity: 'error',
    from: { path: '^((?:packages|apps|tools)/[^/]+)/' },
    to: { path: MEMBER, pathNot: '^$1/', dependencyTypesNot: ['aliased-workspace'] },
  },
  {
    name: 'resolvable',
    comment:
      'The import leads nowhere: a wrong name, a missing dependency, or a path that the package does not export.',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'declared-external',
    comment: 'What ships uses only `dependencies` of its own package.json.',
    severity: 'error',
    from: { path: '^(?:packages|apps)/[^/]+/src/' },
    to: { dependencyTypes: ['npm-dev', 'npm-optional', 'npm-no-pkg', 'npm-unknown', 'npm-bundled'] },
  },
  {
    name: 'pure',
    comment: 'These packages do no I/O of any kind.',
    severity: 'error',
    from: { path: '^packages/(?:crd-types|state-machines|allocation-policy)/src/' },
    to: { dependencyTypes: ['core'] },
  },
];

function noDeadFiles(entries) {
  const starts = entries.map((entry) => `^${escaped(entry)}$`);
  return {
    name: 'no-orphan',
    comment: 'No entry of its package leads to this file: nobody can use it.',
    severity: 'error',
    from: { path: starts },
    to: { path: `${MEMBER}src/`, pathNot: starts, reachable: false },
  };
}

/** All rules of a workspace, as `readWorkspace` describes it. */
export function rulesFor({ members, entries }) {
  return [
    ...everywhere,
    noDeadFiles(entries),
    ...PLACES.flatMap(layerRules),
    ...members.flatMap((member) => declaredRules(member, members)),
  ];
}
