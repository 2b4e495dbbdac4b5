import { call, type Api } from './api.ts';
import { readObject, SliceSchema } from './objects.ts';
import { failed, retry, type RetryHost, type Try } from './retry.ts';
import { entryNames, MOST_DEVICES, sliceName, sliceObject, type NamedDevice, type SliceOwner } from './slice-object.ts';

/** What a publisher makes true: a slice with these devices, or no slice. */
export type Wanted = { readonly tag: 'slice'; readonly devices: readonly NamedDevice[] } | { readonly tag: 'absent' };

/** What the publisher knows of the stored slice. */
type Stored =
  | { readonly tag: 'none' }
  | { readonly tag: 'unknown' }
  | { readonly tag: 'slice'; readonly resourceVersion: string; readonly generation: number };

const SLICES = '/apis/resource.k8s.io/v1/resourceslices';

/** Keeps one node's ResourceSlice as it is wanted. Writes one after the other; changes that come meanwhile go in one. */
export class Publisher {
  readonly #api: Api;
  readonly #host: RetryHost;
  readonly #owner: SliceOwner;
  readonly #path: string;
  #stored: Stored = { tag: 'none' };
  #devices: readonly NamedDevice[] = [];
  #generation = 0;
  #wanted: Wanted = { tag: 'absent' };
  #dirty = false;
  #running: Promise<void> | undefined;

  constructor(api: Api, host: RetryHost, owner: SliceOwner) {
    this.#api = api;
    this.#host = host;
    this.#owner = owner;
    this.#path = `${SLICES}/${encodeURIComponent(sliceName(owner.name))}`;
  }

  /** Changes what is wanted. The write begins at once and goes on by itself. */
  want(wanted: Wanted): void {
    this.#wanted = wanted;
    this.#dirty = true;
    this.#running ??= this.#run();
  }

  /** Names of the entries that the stored slice has for a device, by the fabric's id of it. */
  entriesOf(resUuid: string): readonly string[] {
    return this.#devices.filter(({ device }) => device.resUuid === resUuid).flatMap(entryNames);
  }

  /** Resolves when what is wanted is stored, or cannot be: see the reports. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    const doing = `publish ResourceSlice ${sliceName(this.#owner.name)}`;
    while (this.#dirty && !this.#host.signal.aborted) {
      // Refused or not, the report has it; the next change tries again.
      await retry(this.#host, doing, () => {
        this.#dirty = false;
        return this.#write(this.#wanted);
      });
    }
    this.#running = undefined;
  }

  async #write(wanted: Wanted): Promise<Try<undefined>> {
    if (this.#stored.tag === 'unknown') return this.#look();
    if (wanted.tag === 'absent') return this.#stored.tag === 'none' ? finished : this.#delete();
    const count = wanted.devices.flatMap(entryNames).length;
    if (count > MOST_DEVICES) {
      const message = `${count} devices on one node: a slice holds at most ${MOST_DEVICES}`;
      return { tag: 'refused', message };
    }
    return this.#put(wanted.devices, this.#stored);
  }

  async #put(devices: readonly NamedDevice[], stored: Exclude<Stored, { tag: 'unknown' }>): Promise<Try<undefined>> {
    const exists = stored.tag === 'slice';
    const generation = (exists ? stored.generation : this.#generation) + 1;
    const value = sliceObject(this.#owner, devices, generation, exists ? stored.resourceVersion : undefined);
    const body = { type: 'application/json', value };
    const outcome = await call(this.#api, exists ? 'PUT' : 'POST', exists ? this.#path : SLICES, body);
    if (outcome.tag === 'ok') {
      this.#devices = devices;
      return this.#keep(outcome.body);
    }
    this.#stored = { tag: 'unknown' };
    const outdated = outcome.tag === 'status' && (outcome.status === 409 || (exists && outcome.status === 404));
    return outdated ? { tag: 'atOnce' } : failed(outcome);
  }

  async #delete(): Promise<Try<undefined>> {
    const outcome = await call(this.#api, 'DELETE', this.#path);
    if (outcome.tag !== 'ok' && !isNotFound(outcome)) return failed(outcome);
    this.#stored = { tag: 'none' };
    this.#devices = [];
    return finished;
  }

  async #look(): Promise<Try<undefined>> {
    const outcome = await call(this.#api, 'GET', this.#path);
    if (outcome.tag === 'ok') {
      const kept = this.#keep(outcome.body);
      return kept.tag === 'done' ? { tag: 'atOnce' } : kept;
    }
    if (!isNotFound(outcome)) return failed(outcome);
    this.#stored = { tag: 'none' };
    return { tag: 'atOnce' };
  }

  #keep(body: string): Try<undefined> {
    const slice = readObject(SliceSchema, body);
    if (slice.tag === 'failed') {
      this.#stored = { tag: 'unknown' };
      return { tag: 'later', message: slice.message };
    }
    const { metadata, spec } = slice.value;
    this.#generation = spec.pool.generation;
    this.#stored = { tag: 'slice', resourceVersion: metadata.resourceVersion, generation: spec.pool.generation };
    return finished;
  }
}

const finished: Try<undefined> = { tag: 'done', value: undefined };

function isNotFound(outcome: { readonly tag: string; readonly status?: number }): boolean {
  return outcome.tag === 'status' && outcome.status === 404;
}
