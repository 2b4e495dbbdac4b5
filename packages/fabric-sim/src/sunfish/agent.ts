import { delay, type Clock } from '@cro/clock';
import type { SimRequest } from '../core/http.ts';
import { effectsOf, type Effect } from '../faults/effect.ts';
import { at, listIn, planOf } from '../redfish/change-blocks.ts';
import { conflictOf, connect, disconnect, readConnection } from '../redfish/change-fabric.ts';
import { readChunk } from '../redfish/change-memory.ts';
import type { Body } from '../redfish/entry.ts';
import type { RedfishState } from '../redfish/state.ts';
import { computeBlockId, blockUri, DOMAINS, FABRIC, lastSegment, SYSTEMS } from '../redfish/uris.ts';
import { blocksIn } from '../redfish/views/systems.ts';

/** What the agent answers the server: its object, a refusal, or nothing since it is down. */
export type AgentAnswer =
  { readonly tag: 'done'; readonly body: Body } | { readonly tag: 'refused' } | { readonly tag: 'down' };

/** What an agent works with. */
export interface AgentParts {
  readonly clock: Clock;
  readonly state: RedfishState;
  readonly attachMs: () => number;
  readonly detachMs: () => number;
}

const REFUSED = { tag: 'refused' } as const;
const CHUNKS = new RegExp(`^${DOMAINS}/([^/]+)/MemoryChunks(?:/([^/]+))?$`);
const CONNECTIONS = new RegExp(`^${FABRIC}/Connections(?:/([^/]+))?$`);

/** The agent below the server: it has the hardware. */
export class Agent {
  readonly #parts: AgentParts;
  /** Whether it answers. */
  up = true;

  constructor(parts: AgentParts) {
    this.#parts = parts;
  }

  /** A verb that the server hands on. */
  async handle(request: SimRequest, uri: string, body: Body, effects: readonly Effect[]): Promise<AgentAnswer> {
    if (!this.up) return { tag: 'down' };
    switch (request.method) {
      case 'POST':
        return this.#create(request, uri, body);
      case 'PATCH':
        return this.#patch(request, uri, body, effects);
      case 'DELETE':
        return this.#delete(uri);
      default:
        return REFUSED;
    }
  }

  async #create(request: SimRequest, uri: string, body: Body): Promise<AgentAnswer> {
    const { state } = this.#parts;
    const id = String(body['Id']);
    if (CONNECTIONS.test(uri)) {
      const read = readConnection(state, request, id);
      if (read.tag === 'refused' || conflictOf(state, read.connection) !== undefined) return REFUSED;
      await this.#spend(this.#parts.attachMs());
      connect(state, read.connection);
      return { tag: 'done', body };
    }
    const [, domain] = CHUNKS.exec(uri) ?? [];
    const chunk = domain === undefined ? undefined : readChunk(domain, request, id);
    // The real agent checks no size: it stores what it is told.
    if (chunk === undefined || state.memory.domain(chunk.domain) === undefined) return REFUSED;
    return state.memory.cut(chunk, true) === 'made' ? { tag: 'done', body } : REFUSED;
  }

  async #patch(request: SimRequest, uri: string, body: Body, effects: readonly Effect[]): Promise<AgentAnswer> {
    const { state } = this.#parts;
    const machine = uri.startsWith(`${SYSTEMS}/`) ? state.pool.machine(lastSegment(uri)) : undefined;
    if (machine === undefined || at(body['Links'], 'ResourceBlocks') === undefined) return { tag: 'done', body };
    const before = blocksIn(state, machine.machUuid);
    const { added, removed } = planOf(before, listIn(request, before) ?? before);
    const isWrong = removed.includes(blockUri(computeBlockId(machine.machUuid)));
    const devices = added.map((one) => state.pool.device(lastSegment(one)));
    const isFree = devices.every((one) => one !== undefined && state.pool.hold(one.resUuid, machine.machUuid));
    if (isWrong || !isFree) return REFUSED;
    const ms = [...added.map(() => this.#parts.attachMs()), ...removed.map(() => this.#parts.detachMs())];
    await this.#spend(ms.reduce((sum, one) => sum + one, 0));
    for (const one of added.map(lastSegment)) {
      for (const { opStatus } of effectsOf(effects, 'arrive')) state.pool.setOpStatus(one, opStatus);
      state.pool.move(one, machine.machUuid);
    }
    for (const one of removed) state.pool.move(lastSegment(one), undefined);
    return { tag: 'done', body };
  }

  async #delete(uri: string): Promise<AgentAnswer> {
    const { state } = this.#parts;
    const [, connection] = CONNECTIONS.exec(uri) ?? [];
    const found = connection === undefined ? undefined : state.connections.get(connection);
    if (found !== undefined) {
      await this.#spend(this.#parts.detachMs());
      disconnect(state, found);
      return { tag: 'done', body: {} };
    }
    const [, domain, chunk] = CHUNKS.exec(uri) ?? [];
    const isFreed = domain !== undefined && chunk !== undefined && state.memory.free(domain, chunk);
    return isFreed ? { tag: 'done', body: {} } : REFUSED;
  }

  async #spend(ms: number): Promise<void> {
    if (ms > 0) await delay(this.#parts.clock, ms);
  }
}
