/** A pool of CXL memory that chunks are cut from. */
export interface MemoryDomainSpec {
  readonly id: string;
  readonly sizeMiB: number;
  /** Smallest chunk. 64 unless given. */
  readonly minMiB?: number;
  /** Chunks are multiples of it. 64 unless given. */
  readonly incrementMiB?: number;
  /** Logical devices, each with an endpoint of its own: that many connections are possible. 8 unless given. */
  readonly logicalDevices?: number;
}

/** A domain with its defaults. */
export type MemoryDomain = Required<MemoryDomainSpec>;

/** A chunk of a domain. `body` is what its creator said of it. */
export interface Chunk {
  readonly domain: string;
  readonly id: string;
  readonly sizeMiB: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What became of the wish for a chunk. */
export type Cut = 'made' | 'exists' | 'tooLarge' | 'badSize';

/** The domains and their chunks. */
export class MemoryBook {
  readonly #domains: ReadonlyMap<string, MemoryDomain>;
  readonly #chunks = new Map<string, Chunk>();

  constructor(specs: readonly MemoryDomainSpec[]) {
    const withDefaults = specs.map((spec) => ({ minMiB: 64, incrementMiB: 64, logicalDevices: 8, ...spec }));
    this.#domains = new Map(withDefaults.map((domain) => [domain.id, domain]));
  }

  /** Every domain. */
  domains(): readonly MemoryDomain[] {
    return [...this.#domains.values()];
  }

  /** A domain by its id. */
  domain(id: string): MemoryDomain | undefined {
    return this.#domains.get(id);
  }

  /** The chunks of a domain. */
  chunksOf(domain: string): readonly Chunk[] {
    return [...this.#chunks.values()].filter((chunk) => chunk.domain === domain);
  }

  /** A chunk by the ids of its domain and its own. */
  chunk(domain: string, id: string): Chunk | undefined {
    return this.#chunks.get(`${domain}/${id}`);
  }

  /** Cuts a chunk. `unchecked`: whatever its size, as a service does that stores what it is told. */
  cut(chunk: Chunk, unchecked = false): Cut {
    const domain = this.#domains.get(chunk.domain);
    if (domain === undefined) throw new Error(`there is no memory domain ${chunk.domain}`);
    if (this.chunk(chunk.domain, chunk.id) !== undefined) return 'exists';
    const { minMiB, incrementMiB, sizeMiB } = domain;
    if (!unchecked && (chunk.sizeMiB < minMiB || chunk.sizeMiB % incrementMiB !== 0)) return 'badSize';
    const used = this.chunksOf(chunk.domain).reduce((sum, one) => sum + one.sizeMiB, 0);
    if (!unchecked && used + chunk.sizeMiB > sizeMiB) return 'tooLarge';
    this.#chunks.set(`${chunk.domain}/${chunk.id}`, chunk);
    return 'made';
  }

  /** Gives a chunk back. False when there is none. */
  free(domain: string, id: string): boolean {
    return this.#chunks.delete(`${domain}/${id}`);
  }
}
