/**
 * Labels by which others say that a node has GPUs: the GPU Operator, that it has some and that a driver is to run there; Node Feature
 * Discovery, that a device of NVIDIA (PCI vendor 10de) is plugged in. They are hints, set late and removed late.
 */
const GPU_LABELS = [
  'nvidia.com/gpu.present',
  'nvidia.com/gpu.deploy.driver',
  'feature.node.kubernetes.io/pci-10de.present',
] as const;

/** Whether any label of a node says that it has GPUs. Without one, and without a driver, nothing there holds a device. */
export function isLabelledWithGpus(labels: Readonly<Record<string, string>>): boolean {
  return GPU_LABELS.some((label) => labels[label] === 'true');
}
