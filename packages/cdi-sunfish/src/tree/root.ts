import type { CallContext } from '@cro/cdi-core';
import type { Clock } from '@cro/clock';
import type { RedfishService, Read } from '../redfish/service.ts';
import { belowParent } from '../redfish/uri.ts';
import { decode, type Root } from '../redfish/wire.ts';

const ROOT = '/redfish/v1';

/** What a service has, and which reads it can put together. */
export interface Layout {
  readonly systems: string;
  /** Collection of resource blocks, where there is a composition service. */
  readonly blocks: string | undefined;
  readonly fabrics: string | undefined;
  readonly chassis: string | undefined;
  /** The task service. */
  readonly tasks: string | undefined;
  /** `*`: links are expanded too. `.`: what is below a resource. Undefined: each resource is a call. */
  readonly expand: '*' | '.' | undefined;
  readonly maxLevels: number;
}

/** How long a layout is taken for true, in milliseconds: a service changes it with its firmware. */
const KEPT_MS = 600_000;

/** The layout of a service, read once and kept for a while. */
export class LayoutReader {
  readonly #service: RedfishService;
  readonly #clock: Clock;
  #kept: { readonly layout: Layout; readonly atMs: number } | undefined;

  constructor(service: RedfishService, clock: Clock) {
    this.#service = service;
    this.#clock = clock;
  }

  async read(context: CallContext): Promise<Exclude<Read<Layout>, { tag: 'absent' }>> {
    const now = this.#clock.monotonic();
    if (this.#kept !== undefined && now - this.#kept.atMs < KEPT_MS) return { tag: 'ok', value: this.#kept.layout };
    // The Sunfish server knows its root with the slash only.
    const root = await this.#service.get(`${ROOT}/`, decode.root, context);
    if (root.tag !== 'ok') return { tag: 'failed', failure: root.failure };
    const blocks = await this.#blocks(root.value, context);
    if (blocks.tag === 'failed') return blocks;
    const layout = layoutOf(root.value, blocks.uri);
    this.#kept = { layout, atMs: now };
    return { tag: 'ok', value: layout };
  }

  async #blocks(
    root: Root,
    context: CallContext,
  ): Promise<{ readonly tag: 'ok'; readonly uri: string | undefined } | Extract<Read<never>, { tag: 'failed' }>> {
    if (root.CompositionService === undefined) return { tag: 'ok', uri: undefined };
    const uri = belowParent(ROOT, 'CompositionService', root.CompositionService['@odata.id']);
    const service = await this.#service.get(uri, decode.composition, context);
    if (service.tag === 'failed') return service;
    if (service.tag === 'absent') return { tag: 'ok', uri: undefined };
    return { tag: 'ok', uri: belowParent(uri, 'ResourceBlocks', service.value.ResourceBlocks?.['@odata.id']) };
  }
}

function layoutOf(root: Root, blocks: string | undefined): Layout {
  const {
    ExpandAll: all,
    NoLinks: below,
    Levels: levels,
    MaxLevels: max,
  } = root.ProtocolFeaturesSupported?.ExpandQuery ?? {};
  const maxLevels = levels === true ? (max ?? 1) : 1;
  const part = (property: 'Fabrics' | 'Chassis') =>
    root[property] === undefined ? undefined : belowParent(ROOT, property, root[property]['@odata.id']);
  return {
    systems: belowParent(ROOT, 'Systems', root.Systems?.['@odata.id']),
    blocks,
    fabrics: part('Fabrics'),
    chassis: part('Chassis'),
    tasks: root.Tasks === undefined ? undefined : belowParent(ROOT, 'TaskService', root.Tasks['@odata.id']),
    expand: all === true ? '*' : below === true ? '.' : undefined,
    maxLevels,
  };
}
