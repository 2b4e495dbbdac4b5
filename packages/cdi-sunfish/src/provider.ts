import { byOperation, exactlyOnce, type Provider, type ProviderHost } from '@cro/cdi-core';
import { redfishOperations } from './attach/operations.ts';
import { Reservations } from './attach/reservations.ts';
import type { SunfishConfig } from './config.ts';
import { countFree } from './inventory.ts';
import { listDevices } from './list.ts';
import { Locator } from './locate.ts';
import { signIn } from './redfish/auth.ts';
import { RedfishService } from './redfish/service.ts';
import { Blocks } from './tree/blocks.ts';
import { Fabrics } from './tree/fabrics.ts';
import { LayoutReader } from './tree/root.ts';
import type { World } from './world.ts';

const NAME = 'sunfish';

/** Bounds of one call of the contract, in milliseconds: it may be made of many calls of the service. */
const TIMEOUTS = { read: 60_000, mutate: 180_000 };

/** Makes the provider of one Redfish service. */
export function createSunfish(host: ProviderHost, config: SunfishConfig): Provider {
  const base = new URL(config.endpoint).origin;
  const service = new RedfishService(signIn(host, config), base, host.clock);
  const world: World = {
    host,
    config,
    service,
    layouts: new LayoutReader(service, host.clock),
    blocks: new Blocks(service),
    fabrics: new Fabrics(service, host.clock),
    reservations: new Reservations(host.clock),
    holders: new Map(),
  };
  const locator = new Locator(world);
  const maker = { provider: NAME, newId: host.newId };
  const { attach, detach } = byOperation(maker, host.clock, redfishOperations(world));
  return {
    name: NAME,
    // Each change names its device, and a system's own list is guarded by its ETag.
    lane: 'machine',
    settleSeconds: config.settleSeconds,
    timeouts: TIMEOUTS,
    locate: (node, context) => locator.locate(node, context),
    ...exactlyOnce(attach, detach),
    list: (machines, context) => listDevices(world, machines, context),
    inventory: (query, context) => countFree(world, query, context),
  };
}
