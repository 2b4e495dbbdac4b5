import type { GoModule } from './binary.ts';

const STAGED = /^\s*(k8s\.io\/[a-z0-9-]+) => \.\/staging\//;
const DIRECTIVE = /^(?:go|godebug) /;

/** The go.mod in which etcd's server is built. */
export function etcdGoMod(version: string): string {
  return ['module cro.local/kube/etcd', '', 'go 1.24', '', `require go.etcd.io/etcd/server/v3 v${version}`, ''].join(
    '\n',
  );
}

/**
 * The go.mod in which programs of Kubernetes are built. Its own go.mod points the staging modules (k8s.io/api, ...) at folders
 * of its repository; for everybody else they are published as v0 of the same minor and patch.
 */
export function kubernetesGoMod(version: string, upstream: string): string {
  const lines = upstream.split('\n');
  const staging = version.replace(/^1\./, '0.');
  const replaced = lines.flatMap((line) => {
    const path = STAGED.exec(line)?.[1];
    return path === undefined ? [] : [`\t${path} => ${path} v${staging}`];
  });
  return [
    'module cro.local/kube/kubernetes',
    '',
    ...lines.filter((line) => DIRECTIVE.test(line)),
    '',
    `require k8s.io/kubernetes v${version}`,
    '',
    'replace (',
    ...replaced,
    ')',
    '',
  ].join('\n');
}

/** Flags of the linker: no debug symbols, and the version that the program says it is. */
export function linkerFlags({ name, version }: GoModule): string {
  if (name === 'etcd') return '-s -w';
  const [major = '', minor = ''] = version.split('.');
  const set = (variable: string, value: string) => `-X k8s.io/component-base/version.${variable}=${value}`;
  return ['-s -w', set('gitVersion', `v${version}`), set('gitMajor', major), set('gitMinor', minor)].join(' ');
}
