import {
  beyond,
  builtIn,
  clusterRole,
  DEPLOYED,
  operatorAccess,
  role,
  serviceAccount,
  webhookAccess,
} from '@cro/operator';
import type { Artifact } from '../artifact.ts';
import { manifestYaml, manifestsYaml } from '../manifest-yaml.ts';
import { userRoles } from './user-roles.ts';

const SOURCE = 'the accesses that the code declares';

const { namespace, configuration, secrets, account, prefix: PREFIX, nodeActions } = DEPLOYED;
const asked = { namespace, secrets, reads: [], nodeActions: { tag: 'none' } } as const;
const operator = { namespace, name: account };
const webhook = { namespace, name: `${PREFIX}-webhook` };
const ofOperator = operatorAccess(asked);
/** What is done on nodes; `none` needs nothing of it. */
const onNodes = beyond(ofOperator, operatorAccess({ ...asked, nodeActions }));
/** The same where a device plugin offers devices, beyond that. */
const onPluginNodes = beyond(
  [...ofOperator, ...onNodes],
  operatorAccess({ ...asked, nodeActions: { ...nodeActions, tag: 'nvidiaDevicePlugin' } }),
);
const ofWebhook = webhookAccess({ namespace, configuration });

/** What a provider reads besides is granted by a folder of its own: a cluster without that provider does not need it. */
const PROVIDERS = builtIn
  .map(({ name, reads }) => ({ name, accesses: beyond(ofOperator, operatorAccess({ ...asked, reads })) }))
  .filter(({ accesses }) => accesses.length > 0);

interface Folder {
  readonly name: string;
  readonly files: readonly { readonly file: string; readonly objects: readonly object[] }[];
}

/**
 * The names are those that the Go operator's manifests give (kubebuilder's, with its prefix), so that applying these replaces the
 * wider roles in place and leaves none behind.
 */
const FOLDERS: readonly Folder[] = [
  {
    name: 'operator',
    files: [
      { file: 'service-account', objects: [serviceAccount(operator)] },
      { file: 'cluster', objects: clusterRole(`${PREFIX}-manager`, ofOperator, operator) },
      { file: 'namespace', objects: role(`${PREFIX}-leader-election`, namespace, ofOperator, operator) },
      { file: 'events', objects: role(`${PREFIX}-events`, 'default', ofOperator, operator) },
    ],
  },
  {
    name: 'nvidia',
    files: [
      { file: 'cluster', objects: clusterRole(`${PREFIX}-nvidia`, onNodes, operator) },
      { file: 'namespace', objects: role(`${PREFIX}-nvidia`, namespace, onNodes, operator) },
    ],
  },
  inNamespace('nvidia/gpu-operator', nodeActions.gpuOperatorNamespace),
  inNamespace('nvidia/dra-driver', nodeActions.draDriverNamespace),
  {
    name: 'nvidia/device-plugin',
    files: [
      {
        file: 'namespace',
        objects: role(`${PREFIX}-device-plugin`, nodeActions.gpuOperatorNamespace, onPluginNodes, operator),
      },
    ],
  },
  {
    name: 'operator-webhook',
    files: [
      { file: 'cluster', objects: clusterRole(`${PREFIX}-manager-webhook`, ofWebhook, operator) },
      { file: 'namespace', objects: role(`${PREFIX}-manager-webhook`, namespace, ofWebhook, operator) },
    ],
  },
  {
    name: 'webhook',
    files: [
      { file: 'service-account', objects: [serviceAccount(webhook)] },
      { file: 'cluster', objects: clusterRole(`${PREFIX}-webhook`, ofWebhook, webhook) },
      { file: 'namespace', objects: role(`${PREFIX}-webhook`, namespace, ofWebhook, webhook) },
    ],
  },
  ...PROVIDERS.map(({ name, accesses }) => ({
    name: `providers/${name}`,
    files: [{ file: 'cluster', objects: clusterRole(`${PREFIX}-${name}`, accesses, operator) }],
  })),
  { name: 'users', files: userRoles(PREFIX) },
];

/** A namespace that others make: its role has a folder of its own, as it can be applied only where the namespace is. */
function inNamespace(name: string, theirs: string): Folder {
  return { name, files: [{ file: 'namespace', objects: role(`${PREFIX}-nvidia`, theirs, onNodes, operator) }] };
}

/** What an operator on FM, with DRA, that serves the webhook itself needs. What others need besides is in folders to be added. */
const APART = ['webhook', 'providers/fti-cm', 'nvidia/device-plugin'];
const TOGETHER = FOLDERS.map(({ name }) => name).filter((name) => !APART.includes(name));

/** The files of deploy/rbac: a folder for each part, each a kustomize base, and one above them. */
export const rbacArtifacts: readonly Artifact[] = [
  kustomization('deploy/rbac', TOGETHER),
  ...FOLDERS.flatMap(({ name, files }) => [
    kustomization(
      `deploy/rbac/${name}`,
      files.map(({ file }) => `${file}.yaml`),
    ),
    ...files.map(({ file, objects }) => ({
      path: `deploy/rbac/${name}/${file}.yaml`,
      content: () => manifestsYaml(objects, SOURCE),
    })),
  ]),
];

function kustomization(folder: string, resources: readonly string[]): Artifact {
  const manifest = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources };
  return { path: `${folder}/kustomization.yaml`, content: () => manifestYaml(manifest, 'tools/generate') };
}
