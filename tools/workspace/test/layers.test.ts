import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const RULES = new URL('../src/layers/rules.js', import.meta.url).href;
const WORKSPACE = new URL('../src/layers/workspace.js', import.meta.url).href;
const BIN = new URL('../../../node_modules/.bin/depcruise', import.meta.url).pathname;

const CONFIG = `
import { rulesFor } from '${RULES}';
import { readWorkspace } from '${WORKSPACE}';
export default {
  forbidden: rulesFor(readWorkspace(import.meta.dirname)),
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['@cro/source', 'import'] },
  },
};`;

interface Member {
  readonly dependencies?: readonly string[];
  /** Contents by path in the member's folder. */
  readonly files: Readonly<Record<string, string>>;
}

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'layers-'));
});
afterAll(async () => {
  await rm(root, { recursive: true });
});

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** Makes a workspace of `members` (by folder) and answers the rules that it breaks, as `rule: from -> to`. */
async function violations(name: string, members: Readonly<Record<string, Member>>): Promise<string[]> {
  const home = join(root, name);
  await write(join(home, 'package.json'), JSON.stringify({ type: 'module', workspaces: ['packages/*'] }));
  await write(join(home, 'rules.config.js'), CONFIG);
  for (const [folder, { dependencies = [], files }] of Object.entries(members)) {
    const packageName = `@cro/${folder.replace(/^.*\//u, '')}`;
    const manifest = {
      name: packageName,
      type: 'module',
      exports: { '.': { '@cro/source': './src/index.ts' } },
      dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, '0.1.0'])),
    };
    await write(join(home, folder, 'package.json'), JSON.stringify(manifest));
    for (const [path, text] of Object.entries(files)) await write(join(home, folder, path), text);
    await mkdir(join(home, 'node_modules/@cro'), { recursive: true });
    await symlink(join(home, folder), join(home, 'node_modules', packageName));
  }
  const { summary } = await cruise(home);
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`).sort();
}

interface Cruise {
  readonly summary: { readonly violations: { rule: { name: string }; from: string; to: string }[] };
}

function cruise(home: string): Promise<Cruise> {
  const args = [BIN, 'packages', '--config', 'rules.config.js', '--output-type', 'json'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: home }, (error, stdout, stderr) => {
      // Any number of violations is an exit code of its own; without JSON the tool itself failed.
      if (stdout === '') reject(new Error(stderr, { cause: error }));
      else resolve(JSON.parse(stdout) as Cruise);
    });
  });
}

const leaf: Member = { files: { 'src/index.ts': 'export const leaf = 1;' } };

describe('the layers', () => {
  it('let imports go down, through the front door', async () => {
    const members = {
      'packages/crd-types': leaf,
      'packages/allocation-policy': {
        dependencies: ['@cro/crd-types'],
        files: { 'src/index.ts': "export { leaf } from '@cro/crd-types';" },
      },
    };
    expect(await violations('good', members)).toEqual([]);
  });

  it('refuse an import that goes up, even of a type and even when it is declared', async () => {
    const members = {
      'packages/state-machines': leaf,
      'packages/allocation-policy': {
        dependencies: ['@cro/state-machines'],
        files: { 'src/index.ts': "import type { leaf } from '@cro/state-machines';\nexport type A = typeof leaf;" },
      },
    };
    expect(await violations('up', members)).toEqual([
      'layers (packages/allocation-policy): packages/allocation-policy/src/index.ts -> packages/state-machines/src/index.ts',
    ]);
  });

  it('keep the clock from the pure packages and Node from all of them', async () => {
    const members = {
      'packages/clock': leaf,
      'packages/crd-types': {
        dependencies: ['@cro/clock'],
        files: { 'src/index.ts': "import 'node:fs';\nexport { leaf } from '@cro/clock';" },
      },
    };
    expect(await violations('pure', members)).toEqual([
      'layers (packages/crd-types): packages/crd-types/src/index.ts -> packages/clock/src/index.ts',
      'pure: packages/crd-types/src/index.ts -> fs',
    ]);
  });

  it('keep the providers apart and the simulators out of what ships', async () => {
    const members = {
      'packages/fabric-sim': leaf,
      'packages/cdi-nec': leaf,
      'packages/cdi-fti': {
        dependencies: ['@cro/cdi-nec', '@cro/fabric-sim'],
        files: {
          'src/index.ts': "export { leaf } from '@cro/cdi-nec';\nexport { leaf as b } from '@cro/fabric-sim';",
          'test/a.test.ts': "import { leaf } from '@cro/fabric-sim';\nvoid leaf;",
        },
      },
    };
    expect(await violations('apart', members)).toEqual([
      'layers (packages/cdi-fti): packages/cdi-fti/src/index.ts -> packages/cdi-nec/src/index.ts',
      'layers (packages/cdi-fti): packages/cdi-fti/src/index.ts -> packages/fabric-sim/src/index.ts',
    ]);
  });
});

describe('the packages', () => {
  it('are entered by name, are declared, have no dead file and no cycle', async () => {
    const members = {
      'packages/clock': { files: { 'src/index.ts': 'export {};', 'src/inner.ts': 'export const inner = 1;' } },
      'packages/cdi-core': {
        files: {
          'src/index.ts': "export * from './a.ts';\nexport * from '@cro/clock';\nimport 'nowhere';",
          'src/a.ts': "import { b } from './b.ts';\nexport const a = () => b;",
          'src/b.ts':
            "import { a } from './a.ts';\nimport { inner } from '../../clock/src/inner.ts';\nexport const b = () => [a, inner];",
          'src/dead.ts': 'export const dead = 1;',
        },
      },
    };
    const found = await violations('packages', members);
    expect(found).toEqual([
      'declared (packages/cdi-core): packages/cdi-core/src/b.ts -> packages/clock/src/inner.ts',
      'declared (packages/cdi-core): packages/cdi-core/src/index.ts -> packages/clock/src/index.ts',
      'front-door: packages/cdi-core/src/b.ts -> packages/clock/src/inner.ts',
      'no-circular: packages/cdi-core/src/a.ts -> packages/cdi-core/src/b.ts',
      'no-orphan: packages/cdi-core/src/dead.ts -> packages/cdi-core/src/dead.ts',
      'resolvable: packages/cdi-core/src/index.ts -> nowhere',
    ]);
  });
});
