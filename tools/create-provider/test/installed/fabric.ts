import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FabricParts, MakeFabric } from '@cro/demo';
import { createFabricSim, defaultTenant } from '@cro/fabric-sim';
import type * as Simulated from '../../template/sim/fabric.ts';

/** Where its token stands. */
export const SECRET = { name: 'acme', key: 'token' };

/** The fabric that came with the project, and how the world of the demo is made of it. */
export interface ProjectFabric {
  readonly make: MakeFabric;
  /** Takes another token from now on. */
  replaceToken(token: string): void;
  /** The fabric's ids of what is attached anywhere. */
  attached(): readonly string[];
}

/**
 * Loads the project's own simulator from its folder. A fabric of ours mirrors it: devices that the one attaches turn up
 * on the simulated nodes by way of the other.
 */
export async function loadFabric(folder: string, token: string): Promise<ProjectFabric> {
  const configFile = join(folder, 'provider.yaml');
  const url = pathToFileURL(join(folder, 'sim', 'fabric.ts')).href;
  const { Fabric } = (await import(/* @vite-ignore */ url)) as typeof Simulated;
  const made: { fabric?: Simulated.Fabric } = {};
  const present = () => {
    if (made.fabric === undefined) throw new Error('the fabric is not made yet');
    return made.fabric;
  };
  return {
    make({ clock, random, machines }): FabricParts {
      const fabric = new Fabric(
        machines.map(({ machUuid }) => machUuid),
        token,
        ({ id, machine }) => {
          mirror.move(id, machine);
        },
      );
      const devices = fabric.devices.map(({ id, uuid, model }) => ({ type: 'gpu', model, serial: uuid, resUuid: id }));
      const mirror = createFabricSim({ clock, random, machines, devices, tenant: defaultTenant });
      made.fabric = fabric;
      return {
        sim: { ...mirror, handle: (request) => fabric.handle(request) },
        attachMethod: 'POST',
        asynchronous: false,
        credentials: undefined,
        env: ({ url: endpoint }) => {
          const nodes = machines.map(({ machUuid }, n) => [`worker-${n}`, machUuid] as const);
          // JSON is YAML.
          writeFileSync(configFile, JSON.stringify({ endpoint, token: SECRET, machines: Object.fromEntries(nodes) }));
          return { CDI_PROVIDER_CONFIG: configFile };
        },
      };
    },
    replaceToken: (next) => {
      present().token = next;
    },
    attached: () => present().devices.flatMap(({ id, machine }) => (machine === undefined ? [] : [id])),
  };
}
