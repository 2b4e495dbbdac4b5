import type { ProviderHost } from '@cro/cdi-core';
import type { SunfishConfig } from './config.ts';
import type { RedfishService } from './redfish/service.ts';
import type { Reservations } from './attach/reservations.ts';
import type { Blocks } from './tree/blocks.ts';
import type { Fabrics } from './tree/fabrics.ts';
import type { LayoutReader } from './tree/root.ts';

/** What every part of the provider works with. */
export interface World {
  readonly host: ProviderHost;
  readonly config: SunfishConfig;
  readonly service: RedfishService;
  readonly layouts: LayoutReader;
  readonly blocks: Blocks;
  readonly fabrics: Fabrics;
  readonly reservations: Reservations;
  /** The machine that a block was last seen in, by the block's URI: it counts while that machine cannot be read. */
  readonly holders: Map<string, string>;
}
