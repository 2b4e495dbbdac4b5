import { byBaseline, byName, exactlyOnce, jsonClient, passwordGrant } from '@cro/cdi-core';
import type { Provider, ProviderHost, ReadMachine } from '@cro/cdi-core';
import { baseUrl, type FtiConfig } from '../config.ts';
import { METAL3_MACHINE } from '../kinds.ts';
import { locateByMachine, locateByProviderId } from '../locate.ts';
import { askAttach, askDetach } from './changes.ts';
import { listBounds, listDevices } from '../list.ts';
import { countFree, findElsewhere, readMachine } from './reads.ts';

const NAME = 'fti-fm';

/** Bounds of one call, in milliseconds: an attach answers when the device is there, which takes up to 180 s. */
const TIMEOUTS = { read: 30_000, mutate: 180_000 };

/** How soon to look again what became of a lost call, in milliseconds: it takes seconds to minutes. */
const LOOK_AGAIN_MS = 5_000;

/** Makes the provider of one Fabric Manager. */
export function createFm(host: ProviderHost, config: FtiConfig): Provider {
  const base = baseUrl(config);
  const place = { base, tenantId: config.tenantId };
  const tokens = passwordGrant(host, {
    url: (realm) => `${base}id_manager/realms/${realm}/protocol/openid-connect/token`,
    credentials: config.credentials,
    caFile: config.caFile,
  });
  const client = jsonClient(host, { tokens, caFile: config.caFile });
  const read: ReadMachine = (machine, context) => readMachine(client, place, machine, context);
  const maker = { provider: NAME, newId: host.newId };
  const attach = byBaseline(maker, {
    read,
    ask: (wanted, context) => askAttach(client, place, wanted, context),
    retryAfterMs: LOOK_AGAIN_MS,
  });
  const detach = byName(maker, {
    read,
    elsewhere: findElsewhere(client, place),
    ask: (leaving, context) => askDetach(client, place, leaving, context),
    retryAfterMs: LOOK_AGAIN_MS,
  });
  const locate: Provider['locate'] = (node) =>
    Promise.resolve(
      config.clusterId === undefined ? locateByProviderId(node) : locateByMachine(host.get, node, METAL3_MACHINE),
    );
  return {
    name: NAME,
    lane: 'machine',
    settleSeconds: config.settleSeconds,
    timeouts: TIMEOUTS,
    locate,
    ...exactlyOnce(attach, detach),
    list: (machines, context) => listDevices(read, machines, context, listBounds(host, config, TIMEOUTS.read)),
    inventory: (query, context) => countFree(client, place, query, context),
  };
}
