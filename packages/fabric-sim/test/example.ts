import assert from 'node:assert/strict';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { makeMachines, startFabricSim } from '@cro/fabric-sim';

// Two machines and eight A100 on a free port of 127.0.0.1, with a CA of their own.
const fabric = await startFabricSim({ attachMs: 50 });
const { sim } = fabric;

function call(method: string, path: string, headers: Record<string, string>, body: string): Promise<string> {
  const options = { method, headers: { ...headers, 'content-length': Buffer.byteLength(body) }, ca: fabric.caPem };
  return new Promise((resolve, reject) => {
    request(fabric.url + path, options, (response) => {
      text(response).then(resolve, reject);
    })
      .on('error', reject)
      .end(body);
  });
}

// Log in as any client of the Fabric Manager does.
const { realm, clientId: client_id, clientSecret: client_secret, username, password } = sim.credentials;
const login = { client_id, client_secret, username, password, scope: 'openid', grant_type: 'password' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const tokenPath = `/id_manager/realms/${realm}/protocol/openid-connect/token`;
const answer = await call('POST', tokenPath, form, new URLSearchParams(login).toString());
const { access_token: token } = JSON.parse(answer) as { access_token: string };

// The next attach shall work, and its answer get lost.
sim.faults.add({ kind: 'attach', effect: { tag: 'loseReply', when: 'afterChange' } });

const [machine] = makeMachines(1).map(({ machUuid }) => machUuid);
const res_spec = { condition: [{ column: 'model', operator: 'eq', value: 'NVIDIA-A100-PCIE-80GB' }] };
const resources = [{ res_specs: [{ res_type: 'gpu', res_spec, res_num: 1 }] }];
const body = { tenants: { tenant_uuid: sim.tenant, machines: [{ mach_uuid: machine, resources }] } };
const path = `/fabric_manager/api/v1/machines/${machine}/update?tenant_uuid=${sim.tenant}`;
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
await assert.rejects(call('PATCH', path, headers, JSON.stringify(body)), { code: 'ECONNRESET' });

// The client knows nothing, the fabric has done it: what does your provider do now?
assert.equal(sim.attachedTo(machine ?? '').length, 1);
assert.equal(sim.calls().attach, 1);
assert.deepEqual(sim.callLog().at(-1)?.end, { tag: 'lost' });
await fabric.close();
