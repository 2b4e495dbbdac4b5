import { gotHttp } from '@cro/cdi-core';
import { playOn, type Peer } from './scenario.ts';

/*
 * Plays an attach and a detach on real servers. SUNFISH_URL: a Sunfish server to which the CXL agents of its repository have
 * uploaded their trees. REDFISH_URL: a composition service with GPU blocks of model REDFISH_MODEL (the CDIM hardware emulator: gpu_1).
 */
const { SUNFISH_URL, REDFISH_URL, REDFISH_MODEL = 'gpu_1' } = process.env;
const peers: readonly (readonly [name: string, url: string | undefined, peer: Omit<Peer, 'endpoint'>])[] = [
  ['SUNFISH_URL', SUNFISH_URL, { type: 'cxlmemory', model: 'cxl-1g' }],
  ['REDFISH_URL', REDFISH_URL, { type: 'gpu', model: REDFISH_MODEL }],
];
const http = gotHttp({ env: process.env });
for (const [name, endpoint, peer] of peers) {
  if (endpoint === undefined) {
    process.stdout.write(`${name} is not set: that server is not asked\n`);
    continue;
  }
  process.stdout.write(`${name}=${endpoint}\n`);
  try {
    await playOn({ endpoint, ...peer }, http, (line) => process.stdout.write(`  ${line}\n`));
  } catch (error) {
    process.exitCode = 1;
    process.stdout.write(`  FAILED: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
await http.close();
