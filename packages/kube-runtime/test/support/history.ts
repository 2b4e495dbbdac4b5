/** An object as the server keeps it. */
export interface Stored {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

interface Change {
  readonly collection: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Stored;
  readonly version: number;
}

interface Snapshot {
  readonly version: number;
  readonly objects: readonly Stored[];
}

/** Objects with versions, and everything that happened to them: etcd in small. */
export class History {
  #version = 10;
  /** Watches from before this version get 410. */
  oldest = 0;
  readonly #objects = new Map<string, Map<string, Stored>>();
  readonly #changes: Change[] = [];
  readonly #snapshots = new Map<number, Snapshot>();
  readonly #followers = new Set<() => void>();
  /** Ends every watch in order. */
  #generation = 0;

  get version(): number {
    return this.#version;
  }

  all(collection: string): readonly Stored[] {
    return [...(this.#objects.get(collection)?.values() ?? [])];
  }

  get(collection: string, namespace: string | undefined, name: string): Stored | undefined {
    return this.#objects.get(collection)?.get(`${namespace ?? ''}/${name}`);
  }

  create(collection: string, namespace: string | undefined, body: Stored): Stored {
    const metadata = {
      ...body.metadata,
      ...(namespace !== undefined && { namespace }),
      uid: `uid-${this.#version + 1}`,
      managedFields: [{ manager: 'test', operation: 'Update' }],
    };
    return this.#store(collection, 'ADDED', { ...body, metadata });
  }

  update(collection: string, body: Stored): Stored {
    const { finalizers, deletionTimestamp } = body.metadata;
    const gone = deletionTimestamp !== undefined && (!Array.isArray(finalizers) || finalizers.length === 0);
    return this.#store(collection, gone ? 'DELETED' : 'MODIFIED', body);
  }

  /** What is left when finalizers hold the object. */
  delete(collection: string, object: Stored): Stored | undefined {
    const { finalizers } = object.metadata;
    if (!Array.isArray(finalizers) || finalizers.length === 0) {
      this.#store(collection, 'DELETED', object);
      return undefined;
    }
    const metadata = { ...object.metadata, deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 };
    return this.#store(collection, 'MODIFIED', { ...object, metadata });
  }

  /** Forgets the past: watches and continue tokens from before get 410. */
  compact(): void {
    this.oldest = this.#version;
    this.#snapshots.clear();
  }

  /** Ends every watch in order. */
  closeWatches(): void {
    this.#generation += 1;
    this.#wake();
  }

  page(collection: string, limit: number, token: string | null): object | undefined {
    const [version, offset] = token === null ? [this.#version, 0] : token.split(':').map(Number);
    if (version === undefined || offset === undefined) return undefined;
    if (token === null) this.#snapshots.set(version, { version, objects: this.all(collection) });
    const snapshot = this.#snapshots.get(version);
    if (snapshot === undefined) return undefined;
    const items = snapshot.objects.slice(offset, offset + limit);
    const more = offset + limit < snapshot.objects.length;
    const metadata = { resourceVersion: String(version), ...(more && { continue: `${version}:${offset + limit}` }) };
    return { kind: 'List', apiVersion: 'v1', metadata, items };
  }

  async *follow(collection: string, from: number, signal: AbortSignal): AsyncGenerator<string> {
    const generation = this.#generation;
    let at = this.#changes.findIndex((change) => change.version > from);
    if (at < 0) at = this.#changes.length;
    while (!signal.aborted && generation === this.#generation) {
      const change = this.#changes[at];
      if (change === undefined) {
        await this.#next(signal);
        continue;
      }
      at += 1;
      if (change.collection === collection) yield `${JSON.stringify({ type: change.type, object: change.object })}\n`;
    }
  }

  #store(collection: string, type: Change['type'], body: Stored): Stored {
    this.#version += 1;
    const object: Stored = { ...body, metadata: { ...body.metadata, resourceVersion: String(this.#version) } };
    const objects = this.#objects.get(collection) ?? new Map<string, Stored>();
    this.#objects.set(collection, objects);
    const key = `${String(body.metadata.namespace ?? '')}/${String(body.metadata.name)}`;
    if (type === 'DELETED') objects.delete(key);
    else objects.set(key, object);
    this.#changes.push({ collection, type, object, version: this.#version });
    this.#wake();
    return object;
  }

  #wake(): void {
    for (const wake of [...this.#followers]) wake();
  }

  #next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#followers.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#followers.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}
