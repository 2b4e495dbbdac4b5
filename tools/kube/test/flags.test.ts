import { expect, test } from 'vitest';
import { parseVersion, type TaintRules, type Version } from '../src/index.ts';
import type { PlaneFiles } from '../src/plane/files.ts';
import { apiserverFlags, controllerFlags, etcdFlags } from '../src/plane/flags.ts';

const pair = { certificate: '/c', key: '/k' };
const files: PlaneFiles = {
  ca: '/ca',
  etcd: pair,
  etcdClient: pair,
  apiserver: pair,
  kubeletClient: pair,
  serviceAccounts: { publicKey: '/p', privateKey: '/q' },
  auditPolicy: '/policy',
  auditLog: '/log',
  kubeconfig: '/kubeconfig',
  kubelet: pair,
  controllers: { 'kube-controller-manager': '/manager', 'kube-scheduler': '/scheduler' },
};
const ports = { etcd: 1, etcdPeers: 2, apiserver: 3 };

function apiserver(version: string, taintRules?: TaintRules): readonly string[] {
  return apiserverFlags(parseVersion(version) as Version, files, ports, taintRules);
}

test('taint rules are a preview on 1.34, and have a gate of their own on 1.37', () => {
  const gates = '--feature-gates=DynamicResourceAllocation=true,DRADeviceTaints=true,DRADeviceBindingConditions=true';
  expect(apiserver('1.34.4')).toContain(gates);
  expect(apiserver('1.34.4')).toContain('--runtime-config=resource.k8s.io/v1alpha3=true');
  expect(apiserver('1.37.2')).toContain(`${gates},DRADeviceTaintRules=true`);
  expect(apiserver('1.37.2').join(' ')).not.toContain('runtime-config');
});

test('taint rules can be left out', () => {
  expect(apiserver('1.34.4', 'notServed').join(' ')).not.toContain('runtime-config');
  expect(apiserver('1.37.2', 'notServed')).toContain('--runtime-config=resource.k8s.io/v1/devicetaintrules=false');
});

test('controllers have the gates of the API server, and leave simulated nodes alone', () => {
  const manager = controllerFlags('kube-controller-manager', parseVersion('1.37.2') as Version, files);
  expect(apiserver('1.37.2')).toEqual(expect.arrayContaining(manager.filter((flag) => flag.includes('feature-gates'))));
  expect(manager).toContain('--kubeconfig=/manager');
  expect(manager).toContain('--controllers=*,-node-lifecycle-controller');
});

test('everything listens on loopback only, behind certificates', () => {
  const urls = etcdFlags('/data', files, ports)
    .join(' ')
    .match(/\bhttps?:\/\/[^,\s]+/g);
  expect(urls).toHaveLength(5);
  expect(urls?.every((url) => /^https:\/\/127\.0\.0\.1:[12]$/.test(url))).toBe(true);
  expect(apiserver('1.34.4')).toContain('--bind-address=127.0.0.1');
});
