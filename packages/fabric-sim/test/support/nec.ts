import { VirtualClock } from '@cro/clock/testing';
import {
  createNecSim,
  makeGpus,
  makeMachines,
  seededRandom,
  type NecSim,
  type NecSimOptions,
  type SimResponse,
} from '@cro/fabric-sim';
import { at, MODEL, never } from './client.ts';

export const BASE = '/cdim/api/v1';

/** A CDIM on a virtual clock: four GPUs of one model, three machines. */
export function makeNec(options: Partial<NecSimOptions> = {}) {
  const clock = new VirtualClock();
  const gpus = makeGpus(4, MODEL);
  const machines = makeMachines(3);
  const sim = createNecSim({ clock, random: seededRandom(7), devices: gpus, machines, ...options });
  const gpu = (index: number) => at(gpus, index).resUuid;
  const machine = (index: number) => at(machines, index).machUuid;
  return { clock, sim, gpu, machine, client: new NecClient(sim) };
}

/** Calls a CDIM as its clients do. */
export class NecClient {
  readonly sim: NecSim;
  token = '';

  constructor(sim: NecSim) {
    this.sim = sim;
  }

  async send(method: string, path: string, body?: unknown) {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${this.token}` };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await this.sim.handle({ method, path: `${BASE}${path}`, headers, ...content }, never());
    return { status: answer.status, body: bodyOf(answer) };
  }

  connect(machine: string, device: string, operation = 'connect') {
    const step = { operationID: 1, operation, dependencies: [], targetCPUID: machine, targetDeviceID: device };
    return this.send('POST', '/layout-apply', { procedures: [step] });
  }

  /** Connects and answers the applyID. */
  async begin(machine: string, device: string, operation = 'connect'): Promise<string> {
    return String((await this.connect(machine, device, operation)).body['applyID']);
  }

  async apply(applyID: string) {
    return (await this.send('GET', `/layout-apply/${applyID}`)).body;
  }

  steer(applyID: string, action: string) {
    return this.send('PUT', `/layout-apply/${applyID}?action=${action}`);
  }
}

function bodyOf({ body }: SimResponse): Record<string, unknown> {
  return (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>;
}
