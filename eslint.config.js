import js from '@eslint/js';
import jsdoc from 'eslint-plugin-jsdoc';
import tseslint from 'typescript-eslint';
import { requireReason } from './tools/workspace/src/lint/reasons.js';
import { ambientWorld, anyWorld, PURE_PACKAGES } from './tools/workspace/src/lint/world.js';

const SHIPPED = ['packages/*/src/**/*.ts', 'apps/*/src/**/*.ts'];

/** The two places where the real world comes in: the system's clock, and the operator's process, which hands it all out. */
const REAL_WORLD = ['packages/clock/**', 'packages/operator/src/main/process-world.ts'];

/** Rules that need types, each because it finds faults that no test shows: lost promises, unhandled cases, `any` that leaks. */
const typeAware = {
  '@typescript-eslint/await-thenable': 'error',
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-misused-promises': 'error',
  '@typescript-eslint/no-unsafe-argument': 'error',
  '@typescript-eslint/no-unsafe-assignment': 'error',
  '@typescript-eslint/no-unsafe-call': 'error',
  '@typescript-eslint/no-unsafe-member-access': 'error',
  '@typescript-eslint/no-unsafe-return': 'error',
  '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: 'only-allowed-literals' }],
  '@typescript-eslint/no-unnecessary-type-assertion': 'error',
  '@typescript-eslint/only-throw-error': 'error',
  '@typescript-eslint/restrict-plus-operands': 'error',
  '@typescript-eslint/return-await': ['error', 'in-try-catch'],
  '@typescript-eslint/switch-exhaustiveness-check': [
    'error',
    { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
  ],
};

const documented = {
  'jsdoc/require-jsdoc': [
    'error',
    {
      publicOnly: { esm: true, cjs: false, window: false },
      require: { ClassDeclaration: true, FunctionDeclaration: true, ArrowFunctionExpression: false },
      contexts: [
        'TSInterfaceDeclaration',
        'TSTypeAliasDeclaration',
        'ExportNamedDeclaration > VariableDeclaration',
        'ExportDefaultDeclaration > CallExpression',
      ],
      enableFixer: false,
    },
  ],
  'jsdoc/require-description': ['error', { contexts: ['any'] }],
};

export default tseslint.config(
  { ignores: ['**/dist/', '**/coverage/', '**/node_modules/', '.nx/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    plugins: { cro: { rules: { 'require-reason': requireReason } } },
    rules: {
      'cro/require-reason': 'error',
      eqeqeq: ['error', 'always'],
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
    },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strict, tseslint.configs.stylistic],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...typeAware,
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all' },
      ],
    },
  },
  {
    files: ['**/*.js'],
    languageOptions: { globals: { console: 'readonly', process: 'readonly', URL: 'readonly' } },
  },
  { files: SHIPPED, plugins: { jsdoc }, rules: { ...documented, 'no-console': 'error' } },
  { files: ['tools/*/src/**/*.ts'], plugins: { jsdoc }, rules: documented },
  { files: ['packages/*/src/**/*.ts'], ignores: REAL_WORLD, rules: ambientWorld },
  { files: PURE_PACKAGES.map((name) => `packages/${name}/src/**/*.ts`), rules: anyWorld },
  {
    // A test builds wrong inputs on purpose, and its `describe` holds many cases.
    files: ['**/test/**'],
    rules: { '@typescript-eslint/consistent-type-assertions': 'off', 'max-lines-per-function': 'off' },
  },
);
