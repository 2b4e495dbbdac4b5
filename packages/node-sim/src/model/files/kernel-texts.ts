import type { BoundGpu } from '../host/gpu.ts';
import type { LoadedModule } from '../host/kernel-modules.ts';

/** `/proc/cpuinfo`, as far as it is asked for: a virtual machine has the flag `hypervisor`. */
export function cpuInfo(vm: boolean): string {
  const flags = ['fpu', 'vme', 'msr', 'pae', 'sse2', 'ht', 'avx2', ...(vm ? ['hypervisor'] : [])];
  return `processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Simulated CPU\nflags\t\t: ${flags.join(' ')}\n\n`;
}

/** A line of `/proc/modules`. */
export function moduleLine({ name, size, usedBy }: LoadedModule): string {
  const users = usedBy.length === 0 ? '-' : `${usedBy.join(',')},`;
  return `${name} ${size} ${usedBy.length} ${users} Live 0x0000000000000000 (OE)\n`;
}

/** Of a GPU that no client has opened since the driver has it. */
const UNTOLD_UUID = 'GPU-????????-????-????-????-????????????';

/** `/proc/driver/nvidia/gpus/<address>/information`, as the open kernel module of R535 and later writes it. */
export function gpuInformation(gpu: BoundGpu, driverVersion: string): string {
  return [
    `Model: \t\t ${gpu.model}`,
    `IRQ:   \t\t ${100 + gpu.minor}`,
    `GPU UUID: \t ${gpu.initialised ? gpu.uuid : UNTOLD_UUID}`,
    'Video BIOS: \t 92.00.25.00.08',
    'Bus Type: \t PCIe',
    'DMA Size: \t 47 bits',
    'DMA Mask: \t 0x7fffffffffff',
    `Bus Location: \t ${gpu.address}`,
    `Device Minor: \t ${gpu.minor}`,
    `GPU Firmware: \t ${driverVersion}`,
    'GPU Excluded:\t No',
    '',
  ].join('\n');
}
