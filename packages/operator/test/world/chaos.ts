import type { Life, World } from './world.ts';

/** What may go wrong at one time: each is drawn with the same chance. */
type Trouble = (world: World, random: () => number) => void;

const FABRIC_TROUBLES: readonly Trouble[] = [
  ({ fabric }) => fabric.faults.add({ kind: 'attach', effect: { tag: 'loseReply', when: 'afterChange' } }),
  ({ fabric }) => fabric.faults.add({ kind: 'detach', effect: { tag: 'loseReply', when: 'afterChange' } }),
  ({ fabric }) => fabric.faults.add({ kind: 'attach', effect: { tag: 'loseReply', when: 'beforeChange' } }),
  ({ fabric }, random) => fabric.faults.add({ kind: 'get', times: 3, effect: { tag: 'delay', ms: random() * 40_000 } }),
  ({ fabric }) =>
    fabric.faults.add({ kind: 'get', times: 2, effect: { tag: 'answer', status: 503, body: { html: '<p>busy</p>' } } }),
  ({ fabric }) =>
    fabric.faults.add({
      kind: 'attach',
      effect: { tag: 'answer', status: 500, body: { html: '<p>no</p>' }, when: 'afterChange' },
    }),
  ({ fabric }) => fabric.faults.add({ kind: 'detach', effect: { tag: 'hang', when: 'afterChange' } }),
  ({ fabric }) => fabric.faults.add({ kind: 'attach', effect: { tag: 'exhausted' } }),
  ({ fabric }) => fabric.faults.add({ kind: 'attach', effect: { tag: 'omitFields', fields: ['resources'] } }),
  ({ fabric }) => {
    fabric.revokeTokens();
  },
];

const KUBE_TROUBLES: readonly Trouble[] = [
  ({ kube }) => kube.faults.add({ match: isWrite, when: 'after', trouble: { tag: 'cut' } }),
  ({ kube }) => kube.faults.add({ match: isWrite, when: 'before', trouble: { tag: 'cut' } }),
  ({ kube }) =>
    kube.faults.add({
      match: isWrite,
      when: 'before',
      times: 2,
      trouble: { tag: 'fail', code: 500, reason: 'InternalError', message: 'etcd is away' },
    }),
  ({ kube }) =>
    kube.faults.add({
      match: () => true,
      when: 'before',
      times: 5,
      trouble: { tag: 'fail', code: 429, reason: 'TooManyRequests', message: 'slow down', retryAfterSeconds: 1 },
    }),
  ({ kube }) => {
    kube.closeWatches('cut');
  },
  ({ kube }) => {
    kube.closeWatches('end');
    kube.compact();
  },
];

const NODE_TROUBLES: readonly Trouble[] = [
  ({ nodes }) => {
    nodes.setDriverUp('worker-0', false);
  },
  ({ nodes }) => {
    nodes.setDriverUp('worker-0', true);
  },
];

function isWrite(request: { readonly method: string; readonly userAgent?: string }): boolean {
  return request.method !== 'GET' && request.userAgent === 'composable-resource-operator';
}

/** Kills the operator now and then, at any of its requests, and lets fabric, API server and nodes fail in between. */
export class Chaos {
  readonly #world: World;
  readonly #random: () => number;
  /** The one that lives; `undefined` between a death and the next start, and while one is starting. */
  #life: Life | undefined;
  #on = true;
  #nextKillMs = 0;
  kills = 0;

  constructor(world: World, random: () => number) {
    this.#world = world;
    this.#random = random;
    const maybeKill = () => {
      if (this.#on && this.#life !== undefined && world.clock.monotonic() >= this.#nextKillMs && random() < 0.05)
        this.#kill();
    };
    world.gates.before = maybeKill;
    world.gates.after = maybeKill;
    this.#start();
    this.#trouble();
  }

  /** Ends the troubles; what was broken works again. */
  calm(): void {
    this.#on = false;
    this.#world.fabric.faults.clear();
    this.#world.kube.faults.clear();
    this.#world.nodes.setDriverUp('worker-0', true);
  }

  #start(): void {
    this.#life = this.#world.startOperator();
  }

  #kill(): void {
    this.#life?.kill();
    this.#life = undefined;
    this.kills += 1;
    const random = this.#random;
    // Sometimes at once again, sometimes after a while: an operator that is killed for ever gets nothing done.
    this.#nextKillMs = this.#world.clock.monotonic() + (random() < 0.3 ? 0 : random() * 600_000);
    this.#world.clock.after(random() < 0.5 ? 0 : random() * 20_000, () => {
      this.#start();
    });
  }

  #trouble(): void {
    if (!this.#on) return;
    const random = this.#random;
    const all = [...FABRIC_TROUBLES, ...KUBE_TROUBLES, ...NODE_TROUBLES];
    all[Math.floor(random() * all.length)]?.(this.#world, random);
    this.#world.clock.after(random() * 60_000, () => {
      this.#trouble();
    });
  }
}
