import type { BoundGpu } from '../host/gpu.ts';
import type { Host } from '../host/host.ts';
import { namesAddress, nvmlAddress } from '../host/pci-address.ts';
import type { CommandResult } from '../node-model.ts';
import { said, type Program } from '../programs/program.ts';
import { APP_COLUMNS, GPU_COLUMNS, type AppRow, type GpuRow } from './columns.ts';
import { columnsOf, csvOf } from './csv.ts';
import { drain } from './drain.ts';
import { EXIT } from './exit-code.ts';
import { orderOf, type Order } from './order.ts';

const NO_DRIVER =
  "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. " +
  'Make sure that the latest NVIDIA driver is installed and running.\n';

/**
 * NVIDIA's command-line tool. Running it makes the driver look which GPUs there are. It says everything on stdout, and complains
 * on stderr of whatever it has been set to complain of.
 */
export function nvidiaSmi(host: Host): Program {
  return ({ args }) => {
    const order = orderOf(args);
    if (order.tag !== 'invalid') host.look();
    return { ...answer(host, order), stderr: host.warning };
  };
}

function answer(host: Host, order: Order): CommandResult {
  if (order.tag === 'invalid') return said(`${order.words}\n`, EXIT.invalidArgument);
  if (!host.modules.has('nvidia')) return said(NO_DRIVER, EXIT.noDriver);
  if (order.tag === 'drain') return drain(host, order.id, order.act);
  const gpus = rowsOf(host, order.ids);
  if (gpus.length === 0) return said('No devices were found\n', host.spec.noDevicesExitCode ?? EXIT.notFound);
  switch (order.tag) {
    case 'list':
      return said(gpus.map(listed).join(''));
    case 'persistence':
      return said(`${gpus.map(({ gpu }) => switched(host, gpu, order.on)).join('')}All done.\n`);
    case 'queryGpu': {
      const found = columnsOf(GPU_COLUMNS, order.fields);
      return 'unknown' in found ? noField(found.unknown) : said(csvOf(found.columns, gpus, order.format));
    }
    case 'queryApps': {
      const found = columnsOf(APP_COLUMNS, order.fields);
      const rows = gpus.flatMap(({ gpu }) => appsOf(host, gpu));
      return 'unknown' in found ? noField(found.unknown) : said(csvOf(found.columns, rows, order.format));
    }
  }
}

/** The GPUs that are asked for: by index, UUID, serial number or PCI address. */
function rowsOf(host: Host, ids: readonly string[]): readonly GpuRow[] {
  const { visible, driverVersion } = host;
  const rows = visible.map((gpu, index) => ({ gpu, index, driverVersion, count: visible.length }));
  const isAsked = ({ gpu, index }: GpuRow) =>
    ids.some((id) => [String(index), gpu.uuid, gpu.serial].includes(id) || namesAddress(id, gpu.address));
  return ids.length === 0 ? rows : rows.filter(isAsked);
}

function listed({ gpu, index }: GpuRow): string {
  const mig = gpu.mig.map((uuid, device) => `  MIG 1g.10gb     Device  ${device}: (UUID: ${uuid})\n`);
  return `GPU ${index}: ${gpu.model} (UUID: ${gpu.uuid})\n${mig.join('')}`;
}

function switched(host: Host, gpu: BoundGpu, on: boolean): string {
  const mode = on ? 'Enabled' : 'Disabled';
  const address = nvmlAddress(gpu.address);
  if (gpu.persistent === on) return `Persistence mode is already ${mode} for GPU ${address}.\n`;
  host.setPersistent(gpu, on);
  return `${mode} persistence mode for GPU ${address}.\n`;
}

function appsOf(host: Host, gpu: BoundGpu): readonly AppRow[] {
  return host.processes
    .holding(gpu.uuid)
    .filter(({ computes }) => computes)
    .map((process) => ({ gpu, process }));
}

function noField(field: string): CommandResult {
  return said(`Field "${field}" is not a valid field to query.\n\n`, EXIT.invalidArgument);
}
