/** A device of the simulated fabric. `machine`: where it is attached; in the pool when absent. */
export interface Device {
  readonly id: string;
  readonly uuid: string;
  readonly model: string;
  readonly healthy: boolean;
  machine?: string | undefined;
}

/** What is asked of it: `path` is what stands behind the host. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

/** What it answers. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const MODEL = 'A100';

/** The fabric, for tests: make it behave as yours does, in its errors too. */
export class Fabric {
  readonly devices: Device[];
  /** What it lets in. Another one shuts out who had the one before. */
  token: string;
  /** How many changes it was asked for. */
  changes = 0;
  /** The next change is answered so. `lose`: it happens, and the answer does not arrive. */
  next: 'lose' | { readonly status: number; readonly text: string } | undefined;
  /** No change is taken until a person acts. */
  blocked = false;
  /** Machines that cannot be read. */
  readonly broken = new Set<string>();
  readonly #machines: readonly string[];
  readonly #changed: (device: Device) => void;

  constructor(machines: readonly string[], token: string, changed: (device: Device) => void = () => undefined) {
    this.#machines = machines;
    this.#changed = changed;
    this.token = token;
    this.devices = [1, 2, 3, 4].map((n) => ({
      id: `gpu-${n}`,
      uuid: `GPU-00000000-0000-4000-8000-00000000000${n}`,
      model: MODEL,
      healthy: true,
    }));
  }

  on(machine: string): readonly Device[] {
    return this.devices.filter((device) => device.machine === machine);
  }

  move(id: string, machine: string | undefined): void {
    const device = this.devices.find((one) => one.id === id);
    if (device === undefined) throw new Error(`there is no device ${id}`);
    device.machine = machine;
    this.#changed(device);
  }

  /** Answers one request. Rejects where the connection breaks. */
  handle({ method, path, headers, body }: Request): Promise<Reply> {
    const [, machine = '', id] = /^\/machines\/([^/]+)\/devices(?:\/([^/]+))?$/.exec(path) ?? [];
    const name = decodeURIComponent(machine);
    if (headers['authorization'] !== `Bearer ${this.token}`) return answer(401, { error: 'unknown token' });
    if (!this.#machines.includes(name)) return answer(404, { error: 'no such machine' });
    if (method === 'GET') return this.broken.has(name) ? answer(500, {}) : this.#show(name);
    this.changes += 1;
    if (this.blocked) return answer(423, { error: 'locked by an administrator' });
    const { next } = this;
    this.next = undefined;
    if (typeof next === 'object') return answer(next.status, { error: next.text });
    const reply = method === 'POST' ? this.#add(name, body ?? '') : this.#remove(name, decodeURIComponent(id ?? ''));
    return next === 'lose' ? Promise.reject(new Error('the connection is gone')) : reply;
  }

  #show(machine: string): Promise<Reply> {
    return answer(200, { devices: this.on(machine) });
  }

  #add(machine: string, body: string): Promise<Reply> {
    const wanted: unknown = JSON.parse(body);
    const free = this.devices.find(
      ({ model, machine: at }) => at === undefined && JSON.stringify(wanted) === JSON.stringify({ model }),
    );
    if (free === undefined) return answer(507, { error: 'none is free' });
    this.move(free.id, machine);
    return answer(200, { devices: [free] });
  }

  #remove(machine: string, id: string): Promise<Reply> {
    const device = this.on(machine).find((one) => one.id === id);
    if (device === undefined) return answer(404, { error: 'it is not on that machine' });
    this.move(id, undefined);
    return this.#show(machine);
  }
}

function answer(status: number, body: unknown): Promise<Reply> {
  return Promise.resolve({ status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}
