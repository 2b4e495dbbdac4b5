import { gotHttp, loadProvider, type Http } from '@cro/cdi-core';
import { askPeer, fakeHost, playOnPeer, type Peer } from '@cro/cdi-core/testing';
import { cdim } from '@cro/cdi-nec';
import { systemClock } from '@cro/clock';
import { Applies } from './applies.ts';
import { playBesideOthers } from './somebody-else.ts';

/*
 * Plays the life of devices on a real CDIM: CDIM_LAYOUT_APPLY_URL and CDIM_CONFIGURATION_MANAGER_URL, with their path (`http://host:8013/cdim/api/v1`),
 * and CDIM_HW_CONTROL_URL and CDIM_EXPORTER_URL where they can be reached. GPUs of model CDIM_MODEL are free (the hardware emulator: gpu_1).
 */
const { CDIM_CONFIGURATION_MANAGER_URL, CDIM_HW_CONTROL_URL, CDIM_EXPORTER_URL, CDIM_MODEL = 'gpu_1' } = process.env;

async function play(http: Http, layoutApply: string, tell: (line: string) => void): Promise<void> {
  if (CDIM_CONFIGURATION_MANAGER_URL === undefined) throw new Error('set CDIM_CONFIGURATION_MANAGER_URL, too');
  const loaded = loadProvider(cdim, {
    layoutApply,
    configurationManager: CDIM_CONFIGURATION_MANAGER_URL,
    ...(CDIM_HW_CONTROL_URL === undefined ? {} : { hwControl: CDIM_HW_CONTROL_URL }),
    ...(CDIM_EXPORTER_URL === undefined ? {} : { exporter: CDIM_EXPORTER_URL }),
  });
  if (loaded.tag === 'failed') throw new Error(loaded.message);
  const host = fakeHost({ clock: systemClock, http });
  const open = () => loaded.create({ ...host, newId: () => crypto.randomUUID() });
  const machines = await machinesOf(CDIM_CONFIGURATION_MANAGER_URL, http);
  const peer: Peer = { open, clock: systemClock, type: 'gpu', model: CDIM_MODEL, machines };
  await playOnPeer(peer, tell);
  await playBesideOthers(peer, new Applies(http, systemClock, layoutApply), tell);
}

async function machinesOf(manager: string, http: Http): Promise<Peer['machines']> {
  const { body } = await http.send({ method: 'GET', url: `${manager}/resources` }, AbortSignal.timeout(10_000));
  const { resources } = JSON.parse(body) as { resources: { device: { deviceID: string; type: string } }[] };
  const cpus = resources.filter(({ device }) => device.type === 'CPU').map(({ device }) => device.deviceID);
  const [first, ...others] = cpus;
  if (first === undefined) throw new Error(`${manager} knows no CPU: has it been synchronised with the hardware?`);
  return [first, ...others];
}

const http = gotHttp({ env: process.env });
const tell = (line: string) => void process.stdout.write(`${line}\n`);
const well = await askPeer('CDIM_LAYOUT_APPLY_URL', process.env, (url, say) => play(http, url, say), tell);
process.exitCode = well ? 0 : 1;
await http.close();
