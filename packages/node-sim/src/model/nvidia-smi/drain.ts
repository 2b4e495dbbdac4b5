import type { BoundGpu } from '../host/gpu.ts';
import type { Host } from '../host/host.ts';
import { namesAddress, nvmlAddress } from '../host/pci-address.ts';
import { said, type Program } from '../programs/program.ts';
import { EXIT } from './exit-code.ts';
import type { DrainAct } from './order.ts';

type Said = Awaited<ReturnType<Program>>;

const IN_USE = 'In use by another client';

/** `nvidia-smi drain`: what NVML says of drain states, in nvidia-smi's words. */
export function drain(host: Host, id: string, act: DrainAct): Said {
  const gpu = isDrainAddress(id) ? host.bound.find(({ address }) => namesAddress(id, address)) : undefined;
  if (gpu === undefined) return said(`Failed to parse PCI ID or find a GPU under it: ${id}\n`, EXIT.notFound);
  const address = nvmlAddress(gpu.address);
  switch (act) {
    case 'query': {
      const state = gpu.draining ? 'draining' : 'not draining';
      return said(`The current drain state of GPU ${address} is: ${state}.\n`);
    }
    case 'on':
      if (gpu.persistent) return said(`Failed to set drain state for GPU ${address}: ${IN_USE}\n`, EXIT.other);
      host.setDraining(gpu, true);
      return said(`Successfully set GPU ${address} drain state to: draining.\n`);
    case 'off':
      host.setDraining(gpu, false);
      return said(`Successfully set GPU ${address} drain state to: not draining.\n`);
    case 'remove':
      return remove(host, gpu, address);
  }
}

function remove(host: Host, gpu: BoundGpu, address: string): Said {
  const failed = (why: string, code: number) => said(`Failed to remove GPU ${address}: ${why}\n`, code);
  // A hypervisor does not let its guest do so.
  if (host.spec.vm === true) return failed('Not Supported', EXIT.notSupported);
  if (!gpu.draining) return failed('GPU is not in drain state', EXIT.other);
  const outcome = host.remove(gpu);
  switch (outcome.tag) {
    case 'removed':
      return said(`Successfully removed GPU ${address}.\n`);
    case 'held':
    case 'modules':
      return failed(IN_USE, EXIT.other);
  }
}

/** The tool prints domains of eight digits, and takes none such here. */
function isDrainAddress(id: string): boolean {
  return /^[0-9a-f]{1,5}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$/iu.test(id);
}
