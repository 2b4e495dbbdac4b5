import { stringify } from 'yaml';

/** A kubeconfig file with one cluster and one user. */
export function kubeconfigOf(url: string, caPem: string, token: string): string {
  const name = 'kube-sim';
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name, cluster: { server: url, 'certificate-authority-data': Buffer.from(caPem, 'utf8').toString('base64') } },
    ],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    'current-context': name,
  });
}
