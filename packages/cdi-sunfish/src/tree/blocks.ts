import type { CallContext } from '@cro/cdi-core';
import type { Read, RedfishService } from '../redfish/service.ts';
import { belowParent, isUri } from '../redfish/uri.ts';
import { decode, type Block } from '../redfish/wire.ts';
import { gpuOf, type Gpu } from './gpu.ts';
import { readAll, type All } from './members.ts';
import type { Layout } from './root.ts';

/** A block that was read; `gpu` where it has one. */
export interface BlockRead {
  readonly uri: string;
  readonly block: Block;
  readonly gpu: Gpu | undefined;
}

/**
 * The composition service's blocks. What is in a block does not change, so it is remembered, and each block's processors are read
 * once; what state it is in is read anew each time.
 */
export class Blocks {
  readonly #service: RedfishService;
  readonly #gpus = new Map<string, Gpu | undefined>();

  constructor(service: RedfishService) {
    this.#service = service;
  }

  /** Every block that could be read. */
  readAll({ blocks: uri, expand, maxLevels }: Layout, context: CallContext): Promise<All<BlockRead>> {
    const levels = Math.min(2, maxLevels);
    return readAll(
      this.#service,
      {
        uri,
        decode: decode.block,
        expand: expand === undefined ? undefined : `.($levels=${levels})`,
        broken: 'leftOut',
        complete: (one, block) => this.#complete(one, block, context),
      },
      context,
    );
  }

  /** Whether it is known what is in a block: then it needs not be read for that. */
  knows(uri: string): boolean {
    return this.#gpus.has(uri);
  }

  /** One block. */
  async read(uri: string, context: CallContext): Promise<Read<BlockRead>> {
    const read = await this.#service.get(uri, decode.block, context);
    return read.tag === 'ok' ? this.#complete(uri, read.value, context) : read;
  }

  /** A block whose body is known already: it came with its system. */
  async complete(uri: string, body: unknown, context: CallContext): Promise<Read<BlockRead>> {
    const decoded = decode.block(body);
    if (decoded.tag === 'malformed') return this.read(uri, context);
    return this.#complete(uri, decoded.object, context);
  }

  async #complete(uri: string, block: Block, context: CallContext): Promise<Read<BlockRead>> {
    if (!this.#gpus.has(uri)) {
      const gpu = await this.#findGpu(uri, block, context);
      if (gpu.tag !== 'ok') return gpu;
      this.#gpus.set(uri, gpu.value);
    }
    return { tag: 'ok', value: { uri, block, gpu: this.#gpus.get(uri) } };
  }

  async #findGpu(uri: string, block: Block, context: CallContext): Promise<Read<Gpu | undefined>> {
    const { ResourceBlockType: types, Processors: processors } = block;
    // The CDIM emulator leaves the list of types empty: then the processors themselves tell.
    const { length: known } = types ?? [];
    const mayHaveGpu = known === 0 || types?.some((type) => type === 'Processor' || type === 'Expansion') === true;
    if (!mayHaveGpu || processors === undefined) return { tag: 'ok', value: undefined };
    const items = Array.isArray(processors) ? processors : await this.#collected(uri, processors, context);
    for (const item of items) {
      const read = await this.#processor(item, context);
      if (read.tag === 'failed') return read;
      const gpu = read.tag === 'ok' ? gpuOf(read.value) : undefined;
      if (gpu !== undefined) return { tag: 'ok', value: gpu };
    }
    return { tag: 'ok', value: undefined };
  }

  /** Where a service has a link to a collection in the place of a list of links. */
  async #collected(uri: string, link: object, context: CallContext): Promise<readonly unknown[]> {
    const expanded = decode.collection(link);
    if (expanded.tag === 'ok' && expanded.object.Members !== undefined) return expanded.object.Members;
    const reference = decode.ref(link);
    const target = reference.tag === 'ok' ? reference.object['@odata.id'] : undefined;
    const read = await this.#service.get(belowParent(uri, 'Processors', target), decode.collection, context);
    return read.tag === 'ok' ? (read.value.Members ?? []) : [];
  }

  async #processor(item: unknown, context: CallContext) {
    const body = decode.processor(item);
    if (body.tag === 'ok' && body.object.ProcessorType !== undefined) return { tag: 'ok', value: body.object } as const;
    const uri = body.tag === 'ok' ? body.object['@odata.id'] : '';
    if (!isUri(uri)) return { tag: 'absent' } as const;
    return this.#service.get(uri, decode.processor, context);
  }
}
