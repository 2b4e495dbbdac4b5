import { requestKind } from '@cro/crd-types';
import { eventAccess, leaseAccess, watchAccess, type Access } from '@cro/kube-runtime';
import { certificateAccess } from '@cro/webhook';
import type { ReadKind } from '@cro/cdi-core';
import { abandonedRulesAccess, fencingAccess } from '@cro/node-device';
import { confirmingNodes } from './cluster/node-states.ts';
import { CERTIFICATE_SECRET, LEASE } from './names.ts';
import { CREDENTIALS_SECRET } from './process/settings/credential.ts';
import { VARIABLES } from './process/settings/variables.ts';
import { havingChildren } from './request/children.ts';
import { countingPods } from './request/planner.ts';
import { deletingRequests } from './request/delete-self.ts';
import { savingRequests } from './request/save.ts';
import { lookingLive } from './resource/live.ts';
import { deletingResources } from './resource/perform.ts';
import { savingResources } from './resource/save.ts';
import { driftAccess } from './syncer/drift-store.ts';
import { givingBack } from './syncer/give-back.ts';
import { nodeActionsAccess, seesSlices, type NodeActionsConfig } from './wiring/node-actions.ts';
import { watchingAccess } from './wiring/watch.ts';

/** What decides about access in a deployment that sets nothing else. */
export const DEPLOYED = {
  namespace: VARIABLES.namespace.fallback,
  configuration: VARIABLES.webhookConfiguration.fallback,
  secrets: [CREDENTIALS_SECRET],
  /** What the names of its roles begin with. */
  prefix: 'composable-resource-operator',
  /** The operator's ServiceAccount. */
  account: 'composable-resource-operator-controller-manager',
  nodeActions: {
    tag: 'nvidia',
    gpuOperatorNamespace: VARIABLES.gpuOperatorNamespace.fallback,
    draDriverNamespace: VARIABLES.draDriverNamespace.fallback,
    publishWaitMs: VARIABLES.publishWaitSeconds.fallback * 1000,
  },
} as const;

/** Where events about cluster-scoped objects have to go. */
const EVENTS_OF_CLUSTER = 'default';

/** What decides what an operator asks. */
export interface OperatorAccessOptions {
  readonly namespace: string;
  /** Kinds that the provider declared. */
  readonly reads: readonly ReadKind[];
  /** Names of the Secrets that the provider reads. */
  readonly secrets: readonly string[];
  readonly nodeActions: NodeActionsConfig;
}

/**
 * Everything that the operator asks of the API server, put together from what each part declares beside its code; the webhook is
 * not in it. Roles, the check of what is granted, and the tests of both are made from it.
 */
export function operatorAccess(options: OperatorAccessOptions): readonly Access[] {
  const { namespace } = options;
  return [
    ...leaseAccess(namespace, LEASE),
    ...watchingAccess(options),
    confirmingNodes,
    countingPods,
    ...savingRequests,
    deletingRequests,
    ...havingChildren,
    ...savingResources,
    lookingLive,
    deletingResources,
    ...driftAccess(namespace),
    givingBack,
    ...nodeActionsAccess(options.nodeActions, namespace),
    ...(seesSlices(options.nodeActions) ? [fencingAccess, abandonedRulesAccess] : []),
    ...eventAccess(EVENTS_OF_CLUSTER),
    ...eventAccess(namespace, 'who leads, and what is missing, is told twice only when it changes back within an hour'),
  ];
}

/** What decides what the webhook asks. */
export interface WebhookAccessOptions {
  readonly namespace: string;
  /** Name of the ValidatingWebhookConfiguration whose trust it keeps; absent where the certificate is mounted. */
  readonly configuration?: string;
}

/** Everything that the webhook asks of the API server. */
export function webhookAccess({ namespace, configuration }: WebhookAccessOptions): readonly Access[] {
  const requests = watchAccess(requestKind, {
    without: 'the webhook cannot compare a request with the others, and is not ready',
    need: 'required',
  });
  if (configuration === undefined) return [requests];
  return [requests, ...certificateAccess({ namespace, name: CERTIFICATE_SECRET }, configuration)];
}
