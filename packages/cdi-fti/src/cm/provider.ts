import { byBaselineAccepted, detachByOperation, exactlyOnce, jsonClient, passwordGrant } from '@cro/cdi-core';
import type { ListedDevice, MachineRead, ReadMachine, Provider, ProviderHost } from '@cro/cdi-core';
import { baseUrl, type CmConfig } from '../config.ts';
import { countFree } from '../fm/reads.ts';
import { OPENSHIFT_MACHINE } from '../kinds.ts';
import { listBounds, listDevices } from '../list.ts';
import { locateByMachine } from '../locate.ts';
import { attaching } from './attach.ts';
import { detaching } from './detach.ts';
import { isAttached, type CmDevice, type CmRead } from './machine.ts';
import { readMachine } from './read.ts';

const NAME = 'fti-cm';

/** Bounds of one call, in milliseconds: a resize is answered when it is accepted. */
const TIMEOUTS = { read: 30_000, mutate: 60_000 };

/** Makes the provider of one Cluster Manager. */
export function createCm(host: ProviderHost, config: CmConfig): Provider {
  const base = baseUrl(config);
  const place = { base, tenantId: config.tenantId, clusterId: config.clusterId };
  const tokens = passwordGrant(host, {
    url: (realm) => `${base}id_manager/realms/${realm}/protocol/openid-connect/token`,
    credentials: config.credentials,
    caFile: config.caFile,
  });
  const client = jsonClient(host, { tokens, caFile: config.caFile });
  const maker = { provider: NAME, newId: host.newId };
  const settleMs = config.settleSeconds * 1_000;
  return {
    name: NAME,
    lane: 'machine',
    settleSeconds: config.settleSeconds,
    timeouts: TIMEOUTS,
    locate: (node) => Promise.resolve(locateByMachine(host.get, node, OPENSHIFT_MACHINE)),
    ...exactlyOnce(
      byBaselineAccepted(maker, attaching(host, client, place, settleMs)),
      detachByOperation(maker, host.clock, detaching(host, client, place, settleMs)),
    ),
    list: (machines, context) => {
      const read: ReadMachine = async (machine, bounds) => listable(await readMachine(client, place, machine, bounds));
      return listDevices(read, machines, context, listBounds(host, config, TIMEOUTS.read));
    },
    // CM has limits and no stock; the Fabric Manager at the same address counts what is free.
    inventory: (query, context) => countFree(client, place, query, context),
  };
}

/**
 * What is attached, and what holds a place without being on its way: a device whose add failed, so that it is given back, and
 * one whose status is not known, so that its owner does not lose sight of it.
 */
function listable(read: CmRead | Extract<MachineRead, { tag: 'failed' }>): MachineRead {
  if (read.tag === 'failed') return read;
  const all = read.specs.flatMap(({ devices }) => devices).filter(({ cdiDeviceId }) => cdiDeviceId !== '');
  return { tag: 'devices', devices: all.flatMap((device) => shown(device)) };
}

function shown({ stage, status, reason, ...device }: CmDevice): ListedDevice[] {
  if (isAttached(stage)) return [device];
  const name = `the target ${device.type} '${device.deviceId ?? device.cdiDeviceId}'`;
  if (stage === 'addFailed') {
    return [{ ...device, health: { level: 'critical', message: `${name} could not be added in CM: '${reason}'` } }];
  }
  if (stage !== 'unclear') return [];
  return [{ ...device, health: { level: 'unknown', message: `${name} has unknown status '${status}' in CM` } }];
}
