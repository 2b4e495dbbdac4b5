import type { NodeActionsSetting } from './settings.ts';
import { defaulted } from './declare.ts';
import { NVIDIA_SLICES } from '@cro/node-device';
import { list, matching, oneOf, seconds, wholeNumber } from './parsers.ts';

const dnsLabel = matching(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);

/** The variables that say what is done on nodes, and where. */
export const NODE_VARIABLES = {
  nodeActions: defaulted<NodeActionsSetting>({
    name: 'CRO_NODE_ACTIONS',
    meaning:
      "What is done on nodes when a device comes or goes. nvidia: drivers are looked for, GPUs in use stay, and those that leave are drained, by commands in the driver's pod or the node agent's. none: nothing, the nodes' own software has to notice, and nobody finds out who uses a device.",
    accepts: 'nvidia or none',
    fallback: 'nvidia',
    parse: oneOf('nvidia', 'none'),
  }),
  gpuOperatorNamespace: defaulted<string>({
    name: 'NVIDIA_GPU_OPERATOR_NAMESPACE',
    meaning:
      "Namespace of NVIDIA's GPU Operator. Drivers in containers, and the DaemonSets of DEVICE_PLUGIN, are looked for there and nowhere else.",
    accepts: 'a namespace',
    fallback: 'gpu-operator',
    parse: dnsLabel,
  }),
  draDriverNamespace: defaulted<string>({
    name: 'CRO_DRA_DRIVER_NAMESPACE',
    meaning: "Namespace of NVIDIA's DRA driver, whose kubelet plugin is restarted when it does not notice a device.",
    accepts: 'a namespace',
    fallback: 'dra-driver-nvidia-gpu',
    parse: dnsLabel,
  }),
  draDrivers: defaulted<readonly string[]>({
    name: 'CRO_DRA_DRIVERS',
    meaning:
      'The DRA drivers from which pods get GPUs. What ResourceSlices of others show counts for nothing: monitors and pools may list the same GPUs. The driver of CRO_MEMORY_SLICE_ATTRIBUTE need not be named.',
    accepts: 'names of drivers with commas between them',
    fallback: NVIDIA_SLICES.gpu,
    parse: list(/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/),
  }),
  nodeCommandsAtOnce: defaulted<number>({
    name: 'CRO_NODE_COMMANDS_AT_ONCE',
    meaning:
      'How many commands may run on nodes at one time, on all nodes together; on one node it is never more than one. Each is a connection of its own to the API server.',
    accepts: 'a whole number from 1 to 96',
    fallback: 32,
    parse: wholeNumber(1, 96),
  }),
  publishWaitSeconds: defaulted<number>({
    name: 'CRO_PUBLISH_WAIT_SECONDS',
    meaning:
      'How long what publishes devices may take to notice by itself one that came or left, before it is restarted. Devices of a node that come within that time of each other share one restart; with DEVICE_PLUGIN, devices of all nodes.',
    accepts: 'whole seconds from 0 to 600',
    fallback: 2,
    parse: seconds(0, 600),
  }),
} as const;
