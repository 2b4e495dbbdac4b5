import type { Provider, ProviderDefinition } from '@cro/cdi-core';
import { fakeHost, httpOver, virtualTime, type ContractWorld } from '@cro/cdi-core/testing';
import { VirtualClock } from '@cro/clock/testing';
import type { SimRequest, SimResponse } from '@cro/fabric-sim';
import { json } from './server.ts';

const MODEL = 'A100';

/** The fabric of the README's example, and the hands of the contract suite on it. */
class Acme {
  readonly racks = new Map<string, { id: string; model: string }[]>([
    ['rack-1', []],
    ['rack-2', []],
  ]);
  readonly free = ['g-1', 'g-2', 'g-3', 'g-4'];
  readonly broken = new Set<string>();
  changes = 0;
  next: 'lose' | 'refuse' | undefined;

  handle(request: SimRequest): Promise<SimResponse> {
    const [, , rack = '', , id = ''] = request.path.split('/');
    const gpus = this.racks.get(rack);
    if (gpus === undefined) return Promise.resolve(json(404, {}));
    if (request.method === 'GET') return Promise.resolve(this.broken.has(rack) ? json(500, {}) : json(200, { gpus }));
    const fault = this.next;
    this.next = undefined;
    this.changes += 1;
    if (fault === 'refuse') return Promise.resolve(json(400, {}));
    const answer = request.method === 'POST' ? this.#add(gpus) : this.#remove(gpus, id);
    return fault === 'lose' ? Promise.reject(new Error('the connection is gone')) : Promise.resolve(answer);
  }

  move(id: string, rack: string | undefined): void {
    for (const gpus of this.racks.values()) {
      const at = gpus.findIndex((gpu) => gpu.id === id);
      if (at >= 0) gpus.splice(at, 1);
    }
    if (rack === undefined) this.free.push(id);
    else this.racks.get(rack)?.push({ id, model: MODEL });
  }

  #add(gpus: { id: string; model: string }[]): SimResponse {
    const id = this.free.shift();
    if (id === undefined) return json(507, {});
    gpus.push({ id, model: MODEL });
    return json(200, { gpus });
  }

  #remove(gpus: { id: string }[], id: string): SimResponse {
    gpus.splice(
      gpus.findIndex((gpu) => gpu.id === id),
      1,
    );
    this.free.push(id);
    return json(200, { gpus });
  }
}

/** A world for the contract suite. `spoil` makes a provider bad, to see whether the suite notices. */
export function acmeWorld(
  definition: ProviderDefinition<{ base: string }>,
  spoil: (provider: Provider) => Provider = (provider) => provider,
): ContractWorld {
  const acme = new Acme();
  const clock = new VirtualClock();
  const http = httpOver('https://acme.test', acme);
  const host = fakeHost({ clock, http });
  return {
    ...virtualTime(clock),
    http,
    restart: (way = http) => spoil(definition.create({ ...host, http: way }, { base: 'https://acme.test' })),
    machine: 'rack-1',
    otherMachine: 'rack-2',
    wanted: { type: 'gpu', model: MODEL },
    attached: (machine) => (acme.racks.get(machine) ?? []).map(({ id }) => id),
    changes: () => acme.changes,
    loseNextAnswer: () => void (acme.next = 'lose'),
    refuseNext: () => void (acme.next = 'refuse'),
    exhaust: () => void acme.free.splice(0),
    breakReads: (machine) => void acme.broken.add(machine),
    move: (id, rack) => {
      acme.move(id, rack);
    },
    cannot: {
      expireTokens: 'ACME asks for no token',
      busyNext: 'ACME answers when it is done, and lets callers wait',
      block: 'nothing on ACME waits for a person',
    },
    secrets: ['acme-password'],
    logged: () => host.logged,
  };
}
