import type { CallContext, Failed, JsonClient, ProviderHost } from '@cro/cdi-core';
import { listResources, type Places } from './calls.ts';
import type { Dialect } from './config.ts';
import { failureOf } from './failures.ts';
import { isBuiltIn, isGpu } from './gpu.ts';
import { readableOf } from './readable.ts';
import { topologyOf, type Topology } from './topology.ts';
import type { Resource } from './wire.ts';

/** Machines come and go rarely: one listing serves all questions of a minute. */
const FRESH_MS = 60_000;
/** One that was not in the last listing may be new, but it is not asked for at each question. */
const RETRY_MS = 5_000;

/** A listing of everything. */
export interface Everything {
  readonly tag: 'everything';
  readonly resources: readonly Resource[];
  readonly topology: Topology;
}

/** What is known of the machines. */
export interface Known {
  readonly tag: 'known';
  readonly topology: Topology;
  /** How many GPUs there are that can be moved. */
  readonly gpus: number;
}

/** Which machines there are, and how devices are linked to them. One call tells it all, and is shared. */
export class Directory {
  readonly #host: ProviderHost;
  readonly #client: JsonClient;
  readonly #places: Places;
  readonly #dialect: Dialect;
  #known: { readonly value: Known; readonly atMs: number } | undefined;
  #asking: Promise<Everything | Failed> | undefined;

  constructor(host: ProviderHost, client: JsonClient, places: Places, dialect: Dialect) {
    this.#host = host;
    this.#client = client;
    this.#places = places;
    this.#dialect = dialect;
  }

  /** Lists everything anew. */
  async list(context: CallContext): Promise<Everything | Failed> {
    const answer = await this.#client.call(listResources(this.#places), context);
    if (answer.tag !== 'ok') return { tag: 'failed', failure: failureOf('CDIM resources', answer) };
    const resources = readableOf(answer.value, this.#host.log);
    const topology = topologyOf(resources, this.#dialect);
    const gpus = resources.filter(({ device }) => isGpu(device) && !isBuiltIn(device)).length;
    this.#known = { value: { tag: 'known', topology, gpus }, atMs: this.#host.clock.monotonic() };
    return { tag: 'everything', resources, topology };
  }

  /** What is known, from a listing that is at most a minute old; a few seconds where `machine` is not in it. */
  async know(machine: string, context: CallContext): Promise<Known | Failed> {
    const known = this.#known;
    if (known !== undefined) {
      const age = this.#host.clock.monotonic() - known.atMs;
      if (age < (isThere(machine, known.value.topology) ? FRESH_MS : RETRY_MS)) return known.value;
    }
    // The first one's signal counts for all who wait with it: whoever is told of a failure asks again.
    this.#asking ??= this.list(context).finally(() => {
      this.#asking = undefined;
    });
    const listed = await this.#asking;
    if (listed.tag === 'failed') return listed;
    return this.#known?.value ?? { tag: 'known', topology: listed.topology, gpus: 0 };
  }
}

function isThere(machine: string, { machines }: Topology): boolean {
  return machines.has(machine) || [...machines].some((id) => id.toLowerCase() === machine.toLowerCase());
}
