import { generateKeyPairSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ControllerName } from '../binaries/binary.ts';
import { createAuthority, type Authority, type Pair } from './certificates.ts';

/** Paths of the files that the programs of a control plane are started with. */
export interface PlaneFiles {
  readonly ca: string;
  readonly etcd: PairFiles;
  readonly etcdClient: PairFiles;
  readonly apiserver: PairFiles;
  readonly kubeletClient: PairFiles;
  readonly serviceAccounts: { readonly publicKey: string; readonly privateKey: string };
  readonly auditPolicy: string;
  readonly auditLog: string;
  readonly kubeconfig: string;
  /** Of a kubelet: it serves with it, and calls the API server by nobody's name. */
  readonly kubelet: PairFiles;
  /** Kubeconfig files of the controllers, each under the name that the API server's own roles are bound to. */
  readonly controllers: Readonly<Record<ControllerName, string>>;
}

/** Paths of a certificate and its key. */
export interface PairFiles {
  readonly certificate: string;
  readonly key: string;
}

/** Common name by which an API server calls kubelets. */
export const KUBELET_CLIENT = 'kube-apiserver-kubelet-client';

/** Metadata of every request, told when it is over. */
const AUDIT_POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived', 'ResponseStarted'],
  rules: [{ level: 'Metadata' }],
};

/** Makes them in `directory`, for an API server at `url`. `now` is a time in milliseconds since 1970. */
export async function writePlaneFiles(directory: string, url: string, now: number): Promise<PlaneFiles> {
  await mkdir(directory, { recursive: true });
  const authority = await createAuthority(now);
  const put = async (name: string, text: string) => {
    const path = join(directory, name);
    // Private keys are among them: nobody else may read any.
    await writeFile(path, text, { mode: 0o600 });
    return path;
  };
  const putPair = async (name: string, { certificate, key }: Pair) => ({
    certificate: await put(`${name}.crt`, certificate),
    key: await put(`${name}.key`, key),
  });
  const tokens = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const putKubeconfig = (name: string, pair: Pair) => put(name, kubeconfigOf(url, authority, pair));
  const controller = async (name: ControllerName) =>
    putKubeconfig(`${name}.kubeconfig`, await authority.client(`system:${name}`));
  return {
    ca: await put('ca.crt', authority.certificate),
    etcd: await putPair('etcd', await authority.serving('etcd')),
    etcdClient: await putPair('etcd-client', await authority.client('kube-apiserver')),
    apiserver: await putPair('apiserver', await authority.serving('kube-apiserver')),
    kubeletClient: await putPair('kubelet-client', await authority.client(KUBELET_CLIENT)),
    serviceAccounts: {
      publicKey: await put('service-accounts.pub', tokens.publicKey),
      privateKey: await put('service-accounts.key', tokens.privateKey),
    },
    auditPolicy: await put('audit-policy.json', JSON.stringify(AUDIT_POLICY)),
    auditLog: join(directory, 'audit.log'),
    kubeconfig: await putKubeconfig('kubeconfig', await authority.client('cro-kube-admin', 'system:masters')),
    kubelet: await putPair('kubelet', await authority.serving('kubelet')),
    controllers: {
      'kube-controller-manager': await controller('kube-controller-manager'),
      'kube-scheduler': await controller('kube-scheduler'),
    },
  };
}

/** A kubeconfig file (JSON is YAML) of a client with that certificate. */
function kubeconfigOf(url: string, authority: Authority, { certificate, key }: Pair): string {
  const name = 'cro-kube';
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const cluster = { server: url, 'certificate-authority-data': base64(authority.certificate) };
  const user = { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    'current-context': name,
  });
}
