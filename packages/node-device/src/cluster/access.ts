import { accessTo, type Access } from '@cro/kube-runtime';
import { nodePodKind } from './kinds/node-pod.ts';
import { draWatchAccess, driverWatchAccess, type NodeNamespaces } from './watches.ts';

/**
 * Commands run in pods of two namespaces: whoever may do that in a pod with the host's root is root on its node, so it must
 * not be granted anywhere else. A WebSocket is opened by GET, which is the verb `get`; Kubernetes 1.35 asks for `create` as well
 * (feature gate AuthorizePodWebsocketUpgradeCreatePermission).
 */
function execAccess(namespace: string, without: string, rarely?: string): readonly Access[] {
  const terms = { subresource: 'exec', namespace, without, need: 'optional' } as const;
  return [
    accessTo(nodePodKind, ['get'], { ...terms, ...(rarely !== undefined && { rarely }) }),
    accessTo(nodePodKind, ['create'], {
      ...terms,
      rarely: 'from Kubernetes 1.35 on it is asked for beside get, and no request of its own',
    }),
  ];
}

/** What nodes with NVIDIA's GPUs ask of the API server, with DRA. */
export function nvidiaDraAccess(namespaces: NodeNamespaces): readonly Access[] {
  const { namespace, gpuOperatorNamespace, draDriverNamespace } = namespaces;
  return [
    ...driverWatchAccess,
    ...execAccess(
      gpuOperatorNamespace,
      'no command reaches a driver that runs in a container',
      'where drivers are on the hosts there are no such containers',
    ),
    ...execAccess(namespace, 'no command reaches a driver that is on the host'),
    ...draWatchAccess,
    accessTo(nodePodKind, ['delete'], {
      namespace: draDriverNamespace,
      without: 'a DRA driver that does not notice a device by itself is not restarted, and the device stays unseen',
      need: 'optional',
      rarely: 'a driver that notices devices by itself is left alone',
    }),
  ];
}
