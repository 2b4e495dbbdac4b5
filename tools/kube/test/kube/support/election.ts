import { systemClock as clock } from '@cro/clock';
import { until } from '@cro/demo';
import { startContender, type Contender } from './contender.ts';
import { fieldAt } from './kinds.ts';
import { LEASE, NAMESPACE, type World } from './world.ts';

/** Lease times of those who take over from each other: short, and yet long enough for a machine that is busy. */
export const LEASE_MS = { duration: 8_000, renewDeadline: 7_000, retryPeriod: 500 } as const;

/** One version of the lease. Times are wall clock, in milliseconds since 1970. */
interface Claim {
  readonly holder: string;
  readonly acquired: number;
  readonly renewed: number;
}

/** Two operators of which one leads, and another one whenever one has gone. */
export class Election {
  readonly #world: World;
  readonly #settleSeconds: number;
  readonly #claims: Claim[] = [];
  readonly #all: Contender[] = [];
  #leader: Contender | undefined;
  #standby: Contender | undefined;

  constructor(world: World, settleSeconds: number) {
    this.#world = world;
    this.#settleSeconds = settleSeconds;
    world.caches.leases.subscribe(({ object }) => {
      const { name, namespace } = object.metadata;
      if (name !== LEASE || namespace !== NAMESPACE) return;
      const holder = fieldAt(object, 'spec', 'holderIdentity');
      if (typeof holder !== 'string') return;
      this.#claims.push({ holder, acquired: timeOf(object, 'acquireTime'), renewed: timeOf(object, 'renewTime') });
    });
  }

  /** The one that leads. */
  get leader(): Contender {
    if (this.#leader === undefined) throw new Error('nobody was started');
    return this.#leader;
  }

  /** Starts both. */
  async start(): Promise<void> {
    this.#leader = await this.#next();
    await this.#leader.untilLeads();
    await this.#leader.untilSettled();
    this.#standby = await this.#next();
  }

  /** Waits until the other one leads. Answers how long nobody renewed the lease, in milliseconds. A new one stands by. */
  async takeOver(): Promise<number> {
    const [old, next] = [this.leader, this.#standby];
    if (next === undefined) throw new Error('nobody stands by');
    await next.untilLeads();
    const claim = this.#claims.findLast(({ holder }) => holder.startsWith(`${next.name}_`));
    const last = this.#claims.findLast(({ holder }) => holder.startsWith(`${old.name}_`));
    this.#leader = next;
    this.#standby = await this.#next();
    return (claim?.acquired ?? Number.NaN) - (last?.renewed ?? Number.NaN);
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    for (const one of this.#all) await one.close();
  }

  async #next(): Promise<Contender> {
    const times = { settleSeconds: this.#settleSeconds, lease: LEASE_MS, mayEnd: true };
    const contender = await startContender(this.#world, `operator-${this.#all.length}`, times);
    this.#all.push(contender);
    return contender;
  }
}

/** Waits until so many requests of a kind have come to a gate since `from`. */
export async function untilSeen(world: World, { gate }: Contender, label: string, times: number): Promise<void> {
  const from = gate.seen.length;
  await until({
    clock,
    what: `${times} times ${label}`,
    on: [(look) => gate.subscribe(look)],
    value: () => (gate.seen.slice(from).filter((one) => one === label).length >= times ? true : undefined),
    withinMs: 60_000,
    signal: world.trouble,
  });
}

function timeOf(lease: unknown, field: string): number {
  return Date.parse(String(fieldAt(lease, 'spec', field)));
}
