import { gotHttp, loadProvider, type Http } from '@cro/cdi-core';
import { askPeer, fakeHost, playOnPeer, type Peer } from '@cro/cdi-core/testing';
import { fabricManager } from '@cro/cdi-fti';
import { systemClock } from '@cro/clock';

/*
 * Plays the life of devices on a real Fabric Manager: COHDI_MOCK_URL, `https://host:port` of CoHDI/cohdi-ci-mock, with free devices of model
 * COHDI_MODEL. Its CA is trusted as any other: NODE_EXTRA_CA_CERTS. What the mock shows on its machines at the start has to be drained
 * from the nodes first: it counts as attached and as free at once.
 */
const { COHDI_MODEL = 'NVIDIA-A100-PCIE-80GB' } = process.env;
const credentials = { username: 'mock', password: 'mock', client_id: 'mock', client_secret: 'mock', realm: 'mock' };

async function play(http: Http, url: string, tell: (line: string) => void): Promise<void> {
  const loaded = loadProvider(fabricManager, { endpoint: new URL(url).host, tenantId: 'mock' });
  if (loaded.tag === 'failed') throw new Error(loaded.message);
  const secrets = Object.fromEntries(Object.entries(credentials).map(([key, value]) => [`credentials/${key}`, value]));
  const host = fakeHost({ clock: systemClock, http, secrets });
  const open = () => loaded.create({ ...host, newId: () => crypto.randomUUID() });
  const machines = await machinesOf(url, http);
  await playOnPeer({ open, clock: systemClock, type: 'gpu', model: COHDI_MODEL, machines }, tell);
}

async function machinesOf(url: string, http: Http): Promise<Peer['machines']> {
  const request = { method: 'GET', url: `${url}/fabric_manager/api/v1/machines` } as const;
  const { body } = await http.send(request, AbortSignal.timeout(10_000));
  const { data } = JSON.parse(body) as { data: { machines: { mach_uuid: string }[] } };
  const [first, ...others] = data.machines.map(({ mach_uuid }) => mach_uuid);
  if (first === undefined) throw new Error(`${url} knows no machine`);
  return [first, ...others];
}

const http = gotHttp({ env: process.env });
const tell = (line: string) => void process.stdout.write(`${line}\n`);
const well = await askPeer('COHDI_MOCK_URL', process.env, (url, say) => play(http, url, say), tell);
process.exitCode = well ? 0 : 1;
await http.close();
