import { accessTo, watchAccess, type Access } from '@cro/kube-runtime';
import { DAEMON_SETS } from './daemon-set-names.ts';
import { daemonSetKind } from './kinds/daemon-set.ts';
import { gpuPodKind } from './kinds/gpu-pod.ts';
import { nodePodKind } from './kinds/node-pod.ts';
import { draWatchAccess, driverWatchAccess, type DriverNamespaces, type NodeNamespaces } from './watches.ts';

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

/** What reaching the drivers asks, however devices are offered. */
function driverAccess({ namespace, gpuOperatorNamespace }: DriverNamespaces): readonly Access[] {
  return [
    ...driverWatchAccess,
    ...execAccess(
      gpuOperatorNamespace,
      'no command reaches a driver that runs in a container',
      'where drivers are on the hosts there are no such containers',
    ),
    ...execAccess(namespace, 'no command reaches a driver that is on the host'),
  ];
}

/** What nodes with NVIDIA's GPUs ask of the API server, with a device plugin. */
export function nvidiaDevicePluginAccess(namespaces: DriverNamespaces): readonly Access[] {
  return [
    ...driverAccess(namespaces),
    watchAccess(gpuPodKind, { without: 'nobody knows which pods have GPUs, and none leaves', need: 'optional' }),
    accessTo(daemonSetKind, ['get', 'patch'], {
      namespace: namespaces.gpuOperatorNamespace,
      names: DAEMON_SETS,
      without: 'the device plugin does not see which GPUs came and left, and no device comes or goes',
      need: 'optional',
    }),
    accessTo(nodePodKind, ['delete'], {
      namespace: namespaces.gpuOperatorNamespace,
      without:
        'devices come and go only while the device plugin is ready on all nodes, and after it was restarted on all',
      need: 'optional',
      rarely: 'where all nodes are well its DaemonSet is restarted',
    }),
  ];
}

/** What nodes with NVIDIA's GPUs ask of the API server, with DRA. */
export function nvidiaDraAccess(namespaces: NodeNamespaces): readonly Access[] {
  const { draDriverNamespace } = namespaces;
  return [
    ...driverAccess(namespaces),
    ...draWatchAccess,
    accessTo(nodePodKind, ['delete'], {
      namespace: draDriverNamespace,
      without: 'a DRA driver that does not notice a device by itself is not restarted, and the device stays unseen',
      need: 'optional',
      rarely: 'a driver that notices devices by itself is left alone',
    }),
  ];
}
