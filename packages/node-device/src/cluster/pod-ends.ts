import { fieldIs, watchKind, type CacheEvent } from '@cro/kube-runtime';
import { gpuPodKind, type GpuCounts, type GpuPod } from './kinds/gpu-pod.ts';
import type { WatchBase } from './watch-base.ts';

/**
 * Tells when pods give GPUs back, on those nodes alone that somebody waits on. No selector picks the pods that request GPUs, and all pods of a
 * large cluster are too many to keep.
 */
export class PodEnds {
  readonly #base: WatchBase;
  readonly #watched = new Map<string, AbortController>();
  readonly #listeners = new Set<(node: string) => void>();

  constructor(base: WatchBase) {
    this.#base = base;
  }

  /** From now on the pods of these nodes are watched, and of no others. */
  watch(nodes: ReadonlySet<string>): void {
    for (const [node, end] of this.#watched) {
      if (nodes.has(node)) continue;
      this.#watched.delete(node);
      end.abort(new Error(`nobody waits for a pod of node ${node} any more`));
    }
    for (const node of nodes) if (!this.#watched.has(node)) this.#begin(node);
  }

  /** Calls `listener` for a node whose pods request fewer GPUs than before, or may do so. The result ends that. */
  onFreed(listener: (node: string) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #begin(node: string): void {
    const end = new AbortController();
    this.#watched.set(node, end);
    const signal = AbortSignal.any([this.#base.signal, end.signal]);
    const cache = watchKind(gpuPodKind, {
      ...this.#base,
      fieldSelector: fieldIs('spec.nodeName', node),
      optional: true,
      signal,
    });
    const tell = () => {
      if (!signal.aborted) for (const listener of this.#listeners) listener(node);
    };
    cache.subscribe((event) => {
      if (isFreed(event)) tell();
    });
    // One may have ended after it was listed, and before this began. Rejects when nobody waits any more.
    cache.whenSynced(signal).then(tell, () => undefined);
  }
}

function isFreed(event: CacheEvent<GpuPod>): boolean {
  const before = event.type === 'deleted' ? event.object : event.previous;
  const after: GpuCounts = event.type === 'deleted' ? new Map() : event.object.gpus;
  return [...(before?.gpus ?? [])].some(([name, count]) => count > (after.get(name) ?? 0));
}
