import { describe, expect, test } from 'vitest';
import { etcdGoMod, kubernetesGoMod, linkerFlags } from '../src/binaries/go-mod.ts';

const UPSTREAM = `// a comment
module k8s.io/kubernetes

go 1.24.0

godebug default=go1.24

require (
	k8s.io/api v0.0.0
	github.com/x/y v1.2.3
)

replace (
	k8s.io/api => ./staging/src/k8s.io/api
	k8s.io/cri-client => ./staging/src/k8s.io/cri-client
	github.com/x/y => ./elsewhere
)
`;

describe('the go.mod that Kubernetes is built in', () => {
  test('takes the staging modules from the proxy, and nothing else of the upstream', () => {
    expect(kubernetesGoMod('1.34.4', UPSTREAM).split('\n').filter(Boolean)).toEqual([
      'module cro.local/kube/kubernetes',
      'go 1.24.0',
      'godebug default=go1.24',
      'require k8s.io/kubernetes v1.34.4',
      'replace (',
      '\tk8s.io/api => k8s.io/api v0.34.4',
      '\tk8s.io/cri-client => k8s.io/cri-client v0.34.4',
      ')',
    ]);
  });

  test('its programs say the version that they are', () => {
    const flags = linkerFlags({ name: 'kubernetes', version: '1.37.2' });
    expect(flags).toContain('version.gitVersion=v1.37.2 ');
    expect(flags).toContain('version.gitMajor=1 ');
    expect(flags).toMatch(/version\.gitMinor=37$/);
  });

  test('etcd is a module of its own', () => {
    expect(etcdGoMod('3.6.16')).toContain('require go.etcd.io/etcd/server/v3 v3.6.16\n');
    expect(linkerFlags({ name: 'etcd', version: '3.6.16' })).not.toContain('-X');
  });
});
