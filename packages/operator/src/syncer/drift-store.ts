import type { Failure } from '@cro/crd-types';
import { accessTo, type Access, type KubeClient } from '@cro/kube-runtime';
import { driftKey, type DriftMemory, type ListedOnFabric } from '@cro/state-machines';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { configMapKind, type MapObject } from '../kinds/map-kinds.ts';

/** Name of the ConfigMap in which first sights outlive a restart. */
export const DRIFT_CONFIG_MAP = 'cro-syncer';

const FirstSeen = Compile(Type.Record(Type.String(), Type.Number()));
const SparedShape = Type.Array(Type.String());
const Spared = Compile(SparedShape);

/** What the store needs. */
export interface DriftStoreOptions {
  readonly client: KubeClient;
  readonly namespace: string;
}

/** What the store asks of the API server. */
export function driftAccess(namespace: string): readonly Access[] {
  const terms = { namespace, without: 'devices that nobody owns are not given back', need: 'optional' } as const;
  return [
    accessTo(configMapKind, ['get', 'update'], { ...terms, names: [DRIFT_CONFIG_MAP] }),
    accessTo(configMapKind, ['create'], terms),
  ];
}

type Written = { readonly tag: 'done' } | { readonly tag: 'failed'; readonly failure: Failure };

/** The drift machine's memory, kept in one ConfigMap that is written only when the memory changes. */
export class DriftStore {
  readonly #options: DriftStoreOptions;
  #memory: DriftMemory = { firstSeen: {}, spared: [] };
  #stored: MapObject | undefined;
  #loaded = false;
  /** Writes follow each other: two at once would overtake each other's version. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: DriftStoreOptions) {
    this.#options = options;
  }

  get memory(): DriftMemory {
    return this.#memory;
  }

  /** Reads what an earlier process knew. Until that has worked, no sweep counts. */
  async load(): Promise<Written> {
    if (this.#loaded) return { tag: 'done' };
    const outcome = await this.#options.client.get(configMapKind, this.#ref());
    if (outcome.tag === 'failed') return unreachable(outcome.error.message);
    if (outcome.tag === 'found') {
      this.#stored = outcome.object;
      this.#memory = parseMemory(outcome.object.data);
    }
    this.#loaded = true;
    return { tag: 'done' };
  }

  /** Keeps a new memory. */
  save(memory: DriftMemory): Promise<Written> {
    const write = this.#last.then(() => this.#write(memory));
    this.#last = write;
    return write;
  }

  /** Notes a device that must be left alone until it leaves its machine or has an owner again. */
  async spare(device: ListedOnFabric): Promise<Written> {
    const loaded = await this.load();
    const key = driftKey(device);
    if (loaded.tag === 'failed' || key === undefined || this.#memory.spared.includes(key)) return loaded;
    return this.save({ ...this.#memory, spared: [...this.#memory.spared, key] });
  }

  async #write(memory: DriftMemory): Promise<Written> {
    const data = { firstSeen: JSON.stringify(memory.firstSeen), spared: JSON.stringify(memory.spared) };
    const metadata = {
      ...this.#ref(),
      ...(this.#stored && { resourceVersion: this.#stored.metadata.resourceVersion }),
    };
    const { client } = this.#options;
    const outcome =
      this.#stored === undefined
        ? await client.create(configMapKind, { metadata, data })
        : await client.replace(configMapKind, { metadata, data });
    if (outcome.tag === 'done') {
      this.#stored = outcome.object;
      this.#memory = memory;
      return { tag: 'done' };
    }
    // Somebody else wrote, or the answer was lost: start from what is stored.
    this.#loaded = false;
    this.#stored = undefined;
    return unreachable(
      `the ConfigMap ${DRIFT_CONFIG_MAP} could not be written: ${'error' in outcome ? outcome.error.message : outcome.tag}`,
    );
  }

  #ref(): { readonly name: string; readonly namespace: string } {
    return { name: DRIFT_CONFIG_MAP, namespace: this.#options.namespace };
  }
}

/** Reads the two texts. Somebody may have edited them: what does not fit is as if it were not there. */
function parseMemory(data: Readonly<Record<string, string>>): DriftMemory {
  const firstSeen = jsonOf(data['firstSeen']);
  const spared = jsonOf(data['spared']);
  return { firstSeen: FirstSeen.Check(firstSeen) ? firstSeen : {}, spared: isSpared(spared) ? spared : [] };
}

function isSpared(value: unknown): value is Static<typeof SparedShape> {
  return Spared.Check(value);
}

function jsonOf(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreachable(message: string): Written {
  return { tag: 'failed', failure: { kind: 'Unreachable', message } };
}
