import { accessTo, covers, type Access, type Verb } from '@cro/kube-runtime';
import { builtIn, DEPLOYED, operatorAccess, rulesOf } from '@cro/operator';
import fc from 'fast-check';
import { dirname, join } from 'node:path/posix';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { artifacts } from '../src/artifacts.ts';

const verbs: readonly Verb[] = ['get', 'list', 'watch', 'update', 'patch', 'delete'];
const groups = ['', 'example.com'];
const plurals = ['widgets', 'gadgets'];
const names = ['a', 'b'];

const access = fc
  .record({
    group: fc.constantFrom(...groups),
    plural: fc.constantFrom(...plurals),
    verbs: fc.subarray([...verbs], { minLength: 1 }),
    names: fc.option(fc.subarray(names, { minLength: 1 }), { nil: undefined }),
  })
  .map(({ group, plural, verbs: chosen, names: only }) =>
    accessTo({ group, plural }, chosen, { without: 'x', need: 'required', ...(only && { names: only }) }),
  );

test('rules allow what is asked, and nothing else', () => {
  const requests = groups.flatMap((group) =>
    plurals.flatMap((resource) =>
      verbs.flatMap((verb) => [...names, 'c'].map((name) => ({ verb, group, resource, namespace: '', name }))),
    ),
  );
  fc.assert(
    fc.property(fc.array(access), (accesses: readonly Access[]) => {
      const rules = rulesOf(accesses);
      for (const request of requests) {
        const allowed = rules.some(
          (rule) =>
            rule.apiGroups.includes(request.group) &&
            rule.resources.includes(request.resource) &&
            rule.verbs.includes(request.verb) &&
            (rule.resourceNames?.includes(request.name) ?? true),
        );
        expect(allowed, JSON.stringify(request)).toBe(accesses.some((one) => covers(one, request)));
      }
    }),
  );
});

const files = artifacts.filter(({ path }) => path.startsWith('deploy/rbac/'));

test('a kustomization names files and folders that are there', () => {
  const paths = new Set(files.map(({ path }) => path));
  for (const { path, content } of files.filter((file) => file.path.endsWith('/kustomization.yaml'))) {
    const { resources } = parse(content()) as { resources: string[] };
    for (const resource of resources) {
      const target = join(dirname(path), resource);
      expect(paths.has(target) || paths.has(`${target}/kustomization.yaml`), `${path}: ${resource}`).toBe(true);
    }
  }
});

test.each(builtIn)('with $name, the operator may read what that asks for', ({ name, reads }) => {
  const rulesIn = (folder: string) =>
    files
      .filter(({ path }) => path === `deploy/rbac/${folder}/cluster.yaml`)
      .flatMap(({ content }) => parseAllDocuments(content()))
      .flatMap((document) => (document.toJS() as { rules?: ReturnType<typeof rulesOf> }).rules ?? []);
  const rules = ['operator', 'nvidia', `providers/${name}`].flatMap(rulesIn);
  for (const { group, resource, namespace, verbs } of operatorAccess({ ...DEPLOYED, reads })) {
    if (namespace !== undefined) continue;
    const granted = rules
      .filter((rule) => rule.apiGroups.includes(group) && rule.resources.includes(resource))
      .flatMap((rule) => rule.verbs);
    expect(granted, resource).toEqual(expect.arrayContaining([...verbs]));
  }
});

test('a provider that reads no more than the operator does has no role of its own', () => {
  const folders = new Set(files.map(({ path }) => dirname(path)).filter((path) => path.includes('/providers/')));
  expect(folders).toContain('deploy/rbac/providers/fti-fm');
  // It reads nodes.
  expect(folders).not.toContain('deploy/rbac/providers/sunfish');
  expect(folders).not.toContain('deploy/rbac/providers/nec-cdim');
});

test('no rule says all, and a Secret is read by its name only', () => {
  const rules = files
    .flatMap(({ content }) => parseAllDocuments(content()))
    .flatMap((document) => (document.toJS() as { rules?: ReturnType<typeof rulesOf> }).rules ?? []);
  expect(rules.length).toBeGreaterThan(20);
  expect(JSON.stringify(rules)).not.toContain('*');
  const ofSecrets = rules.filter(({ resources }) => resources.includes('secrets'));
  for (const rule of ofSecrets) {
    if (rule.resourceNames === undefined) expect(rule.verbs).toEqual(['create']);
  }
});
