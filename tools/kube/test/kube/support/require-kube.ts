import type { TestProject } from 'vitest/node';
import { parseVersion, PROVEN, provide } from '../../../src/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly kubeVersion: string;
    readonly etcd: string;
    readonly apiserver: string;
  }
}

/** Run before the suites: finds or builds the programs, and says in one line what is missing, rather than test by test. */
export default async function requireKube(project: TestProject): Promise<void> {
  const asked = process.env['CRO_KUBE_VERSION'] ?? PROVEN[0];
  const version = parseVersion(asked);
  if (version === undefined) {
    throw new Error(`CRO_KUBE_VERSION is ${JSON.stringify(asked)}; accepted is a release like ${PROVEN[0]}`);
  }
  const provided = await provide({ version, env: process.env, tell: (text) => void process.stderr.write(text) });
  if (provided.tag === 'missing') throw new Error(provided.message);
  project.provide('kubeVersion', version.text);
  project.provide('etcd', provided.binaries.etcd);
  project.provide('apiserver', provided.binaries['kube-apiserver']);
}
