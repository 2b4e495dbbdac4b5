import { VirtualClock } from '@cro/clock/testing';
import {
  createFabricSim,
  defaultTenant,
  makeGpus,
  makeMachines,
  seededRandom,
  type FabricCore,
  type FabricSim,
  type FabricSimOptions,
  type SimResponse,
} from '@cro/fabric-sim';

export const MODEL = 'NVIDIA-A100-PCIE-80GB';
export const FM = '/fabric_manager/api/v1/machines';

/** A fabric on a virtual clock: four GPUs of one model, three machines. */
export function makeFabric(options: Partial<FabricSimOptions> = {}) {
  const clock = new VirtualClock();
  const sim = createFabricSim({
    clock,
    random: seededRandom(7),
    devices: makeGpus(4, MODEL),
    machines: makeMachines(3),
    tenant: defaultTenant,
    ...options,
  });
  return { clock, sim, machine: (index: number) => at(makeMachines(3), index).machUuid };
}

/** An item that has to be there. */
export function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error(`there is no item ${index}`);
  return item;
}

export function tokenForm(sim: Pick<FabricSim, 'credentials'>, changes: Record<string, string> = {}): string {
  const { clientId, clientSecret, username, password } = sim.credentials;
  const fields = { client_id: clientId, client_secret: clientSecret, username, password, scope: 'openid' };
  const more = { response_type: 'id_token token', grant_type: 'password' };
  return new URLSearchParams({ ...fields, ...more, ...changes }).toString();
}

export function askToken(
  sim: FabricSim,
  changes: Record<string, string> = {},
  realm = sim.credentials.realm,
): Promise<SimResponse> {
  const path = `/id_manager/realms/${realm}/protocol/openid-connect/token`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return sim.handle({ method: 'POST', path, headers, body: tokenForm(sim, changes) }, never());
}

/** Logs in, and answers what a client of FM does: calls with the token and the tenant filled in. */
export async function logIn(sim: FabricSim) {
  const { access_token: token } = JSON.parse((await askToken(sim)).body) as { access_token: string };
  return new FmClient(sim, sim.tenant, token);
}

export class FmClient {
  readonly core: FabricCore;
  readonly tenant: string;
  readonly token: string;

  constructor(core: FabricCore, tenant: string, token: string) {
    this.core = core;
    this.tenant = tenant;
    this.token = token;
  }

  send(method: string, path: string, body?: unknown, signal = never()): Promise<SimResponse> {
    const headers = { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' };
    const content = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    return this.core.handle({ method, path: `${FM}${path}`, headers, ...content }, signal);
  }

  get(machine: string): Promise<SimResponse> {
    return this.send('GET', `/${machine}?tenant_uuid=${this.tenant}`);
  }

  attach(machine: string, count = 1, model = MODEL, signal = never()): Promise<SimResponse> {
    const res_spec = { condition: [{ column: 'model', operator: 'eq', value: model }] };
    const body = this.frame(machine, { res_type: 'gpu', res_spec, res_num: count });
    return this.send('PATCH', `/${machine}/update?tenant_uuid=${this.tenant}`, body, signal);
  }

  detach(machine: string, resUuid: string, signal = never()): Promise<SimResponse> {
    const body = this.frame(machine, { res_type: 'gpu', res_uuid: resUuid, res_num: 1 });
    return this.send('DELETE', `/${machine}/update?tenant_uuid=${this.tenant}`, body, signal);
  }

  inventory(machine: string, condition: string): Promise<SimResponse> {
    const query = new URLSearchParams({ tenant_uuid: this.tenant, res_type: 'gpu', condition });
    return this.send('GET', `/${machine}/available-reserved-resources?${query}`);
  }

  frame(machine: string, spec: unknown) {
    const machines = [{ mach_uuid: machine, resources: [{ res_specs: [spec] }] }];
    return { tenants: { tenant_uuid: this.tenant, machines } };
  }
}

interface MachineAnswer {
  data: { machines: { mach_uuid: string; resources: { res_uuid: string; res_serial_num: string }[] }[] };
}

/** The `res_uuid`s of the first machine of an answer. */
export function resUuids(response: SimResponse): string[] {
  const { data } = JSON.parse(response.body) as MachineAnswer;
  return at(data.machines, 0).resources.map((resource) => resource.res_uuid);
}

/** FM's error frame. */
export function errorOf(response: SimResponse) {
  return JSON.parse(response.body) as { status: number; detail: { code: string; message: string; data: unknown } };
}

export function never(): AbortSignal {
  return new AbortController().signal;
}
