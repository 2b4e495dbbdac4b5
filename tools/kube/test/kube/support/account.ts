import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plane } from './plane.ts';
import { fieldAt } from './kinds.ts';

const RBAC = new URL('../../../../../deploy/rbac/', import.meta.url);

/** Folders of deploy/rbac that make the roles of an operator with its webhook. */
export const OPERATOR_ROLES: readonly URL[] = [
  'operator/',
  'nvidia/',
  'nvidia/gpu-operator/',
  'nvidia/dra-driver/',
  'operator-webhook/',
  'providers/fti-fm/',
  'users/',
].map((folder) => new URL(folder, RBAC));

/** Those of an operator without a webhook, where a device plugin offers GPUs. */
export const DEVICE_PLUGIN_ROLES: readonly URL[] = [
  'operator/',
  'nvidia/',
  'nvidia/gpu-operator/',
  'nvidia/device-plugin/',
  'providers/fti-fm/',
].map((folder) => new URL(folder, RBAC));

/** A ServiceAccount that programs run as. */
export interface Account {
  /** Its name as a user of the API server; who acts for it has its groups too. */
  readonly user: string;
  /** A kubeconfig whose token is in a file, read again as it is in a pod. */
  readonly kubeconfigPath: string;
  /** Puts a new token into the file, as a kubelet does, and answers its id as the audit log tells it. */
  rotate(): Promise<string>;
}

const NAMESPACE = 'composable-resource-operator-system';
const NAME = 'composable-resource-operator-controller-manager';

const COLLECTIONS: Readonly<Record<string, string>> = {
  ServiceAccount: `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`,
  ClusterRole: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  ClusterRoleBinding: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
};

/** Applies folders of manifests, and makes the operator's account usable. */
export async function giveRoles(plane: Plane, folders: readonly URL[]): Promise<Account> {
  for (const folder of folders) await applyFolder(plane, folder);
  const tokenPath = join(plane.directory, 'token');
  const kubeconfigPath = join(plane.directory, 'operator.kubeconfig');
  const rotate = async () => {
    const token = await requestToken(plane);
    await writeFile(tokenPath, token, { mode: 0o600 });
    return `JTI=${idOf(token)}`;
  };
  await rotate();
  await writeFile(kubeconfigPath, await kubeconfigOf(plane.control.kubeconfigPath, tokenPath));
  return { user: `system:serviceaccount:${NAMESPACE}:${NAME}`, kubeconfigPath, rotate };
}

async function applyFolder(plane: Plane, folder: URL): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
  // The account first: nothing can be bound to one that is not there yet in a reader's eyes.
  for (const name of names.sort()) {
    for (const text of (await readFile(new URL(name, folder), 'utf8')).split('\n---\n')) await applyText(plane, text);
  }
}

/** Creates an object. Strictly: a field that RBAC does not know is an error. */
export async function applyText(plane: Plane, text: string): Promise<void> {
  const kind = /^kind: (\w+)$/m.exec(text)?.[1] ?? '';
  const namespace = /^ {2}namespace: (\S+)$/m.exec(text)?.[1] ?? '';
  const scoped = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/${kind.toLowerCase()}s`;
  const path = `${COLLECTIONS[kind] ?? scoped}?fieldValidation=Strict`;
  const answer = await plane.send('POST', path, { type: 'application/yaml', text });
  if (answer.status !== 201) throw new Error(`${kind}: ${answer.status} ${answer.text}`);
}

/** authentication.k8s.io/v1 TokenRequest, as a kubelet makes it for a pod. */
async function requestToken(plane: Plane): Promise<string> {
  const text = JSON.stringify({ spec: { expirationSeconds: 3600 } });
  const path = `${COLLECTIONS['ServiceAccount'] ?? ''}/${NAME}/token`;
  const answer = await plane.send('POST', path, { type: 'application/json', text });
  const token = fieldAt(answer.json, 'status', 'token');
  if (typeof token !== 'string') throw new Error(`no token: ${answer.status} ${answer.text}`);
  return token;
}

function idOf(token: string): string {
  const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return String(fieldAt(claims, 'jti'));
}

/** The same cluster as in another kubeconfig; the user is who the token in the file says. */
async function kubeconfigOf(other: string, tokenPath: string): Promise<string> {
  const cluster = JSON.parse(await readFile(other, 'utf8')) as { clusters: unknown; contexts: unknown };
  // What client-node makes of a pod's mounted token.
  const user = { 'auth-provider': { name: 'tokenFile', config: { tokenFile: tokenPath } } };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: cluster.clusters,
    users: [{ name: 'operator', user }],
    contexts: [{ name: 'operator', context: { cluster: fieldAt(cluster.clusters, '0', 'name'), user: 'operator' } }],
    'current-context': 'operator',
  });
}
