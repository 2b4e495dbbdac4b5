import type { Version } from '../version.ts';

/** The etcd that is built when none is given: the last of the series that Kubernetes 1.34 to 1.37 are released with. */
export const ETCD_VERSION = '3.6.16';

/** Programs of a control plane, each with a main in `go/`. */
export const BINARIES = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'fake-kubelet',
] as const;

/** One of them. */
export type BinaryName = (typeof BINARIES)[number];

/** Those without which there is no API. */
export const API_BINARIES = ['etcd', 'kube-apiserver'] as const satisfies readonly BinaryName[];

/** Those that do what a cluster does by itself: collect garbage, make default ServiceAccounts, place pods. */
export const CONTROLLER_BINARIES = [
  'kube-controller-manager',
  'kube-scheduler',
] as const satisfies readonly BinaryName[];

/** One of those. */
export type ControllerName = (typeof CONTROLLER_BINARIES)[number];

/** Paths of programs. What is absent is not started. */
export type Binaries = Readonly<
  Record<(typeof API_BINARIES)[number], string> & Partial<Record<ControllerName, string>>
>;

/** The Go module that a program is built in. Those of one module and version share their dependencies. */
export interface GoModule {
  readonly name: 'etcd' | 'kubernetes';
  readonly version: string;
}

/** Which module a program belongs to. */
export function moduleOf(binary: BinaryName, version: Version): GoModule {
  return binary === 'etcd' ? { name: 'etcd', version: ETCD_VERSION } : { name: 'kubernetes', version: version.text };
}
