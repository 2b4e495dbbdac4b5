import type { TestProject } from 'vitest/node';
import { forgetRecords } from './record-folder.ts';
// Vitest loads this file by itself, without the condition that finds the sources of other packages: no import leads to one.
import type { Binaries } from '../../../src/binaries/binary.ts';
import { cachedOrBuilt, provide } from '../../../src/binaries/provide.ts';
import { parseVersion, PROVEN } from '../../../src/version.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly kubeVersion: string;
    readonly etcd: string;
    readonly apiserver: string;
    readonly fakeKubelet: string;
    readonly controllers: Omit<Binaries, 'etcd' | 'kube-apiserver'>;
  }
}

/** Run before the suites: finds or builds the programs, and says in one line what is missing, rather than test by test. */
export default async function requireKube(project: TestProject): Promise<void> {
  const asked = process.env['CRO_KUBE_VERSION'] ?? PROVEN[0];
  const version = parseVersion(asked);
  if (version === undefined) {
    throw new Error(`CRO_KUBE_VERSION is ${JSON.stringify(asked)}; accepted is a release like ${PROVEN[0]}`);
  }
  await forgetRecords();
  const tell = (text: string) => void process.stderr.write(text);
  const provided = await provide({ version, controllers: true, env: process.env, tell });
  if (provided.tag === 'missing') throw new Error(provided.message);
  const kubelet = await cachedOrBuilt('fake-kubelet', { version, env: process.env, tell });
  if (kubelet.tag === 'missing') throw new Error(kubelet.message);
  project.provide('fakeKubelet', kubelet.path);
  project.provide('kubeVersion', version.text);
  const { etcd, 'kube-apiserver': apiserver, ...controllers } = provided.binaries;
  project.provide('etcd', etcd);
  project.provide('apiserver', apiserver);
  project.provide('controllers', controllers);
}
