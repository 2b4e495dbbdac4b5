import { isObject, type JsonObject, listAt, objectAt } from '../base/json.ts';

/** What Go writes of a node's system even where nobody has filled it in. */
const NODE_INFO: JsonObject = Object.fromEntries(
  [
    ...['machineID', 'systemUUID', 'bootID', 'kernelVersion', 'osImage', 'containerRuntimeVersion', 'kubeletVersion'],
    ...['kubeProxyVersion', 'operatingSystem', 'architecture'],
  ].map((field) => [field, '']),
);

const TIMES: JsonObject = { lastHeartbeatTime: null, lastTransitionTime: null };

/** A Node with the fields that Go never leaves out. */
export function prepareNode(node: JsonObject): JsonObject {
  const status = objectAt(node, 'status');
  const conditions = listAt(status, 'conditions').map((one) => (isObject(one) ? { ...TIMES, ...one } : one));
  return {
    ...node,
    spec: objectAt(node, 'spec'),
    status: {
      daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
      ...status,
      nodeInfo: { ...NODE_INFO, ...objectAt(status, 'nodeInfo') },
      ...(conditions.length === 0 ? {} : { conditions }),
    },
  };
}
