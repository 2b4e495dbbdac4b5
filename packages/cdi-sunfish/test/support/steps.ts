import type { AttachRequest, PrepareOutcome, Provider, ResumeOutcome, StartOutcome, Ticket } from '@cro/cdi-core';
import { contextOf, MODEL, type AnySim, type Fabric } from './fabric.ts';

/** What an attach is asked for beyond the defaults: one GPU for the first machine. */
export type Wish = Partial<Omit<AttachRequest, 'op'>>;

/** Steps of an operation, each run until it is over. */
export interface Steps {
  readonly prepare: (wish?: Wish) => Promise<PrepareOutcome>;
  /** The ticket of an attach; throws where there is none. */
  readonly ticket: (wish?: Wish) => Promise<Ticket>;
  readonly start: (ticket: Ticket) => Promise<StartOutcome>;
  readonly resume: (ticket: Ticket, claimed?: readonly string[]) => Promise<ResumeOutcome>;
  /** An attach from the beginning to the answer of its call. */
  readonly attach: (wish?: Wish) => Promise<StartOutcome>;
  /** A detach from the beginning to the answer of its call. */
  readonly detach: (cdiDeviceId: string, type?: AttachRequest['type']) => Promise<StartOutcome | PrepareOutcome>;
}

/** The steps on a fabric, by its provider or another one on it. */
export function stepsOn(fabric: Fabric<AnySim>, provider: Provider = fabric.provider): Steps {
  const { machine, settle } = fabric;
  const read = () => contextOf(provider);
  const mutate = () => contextOf(provider, 'mutate');
  const common = { holder: 'r', type: 'gpu', model: MODEL, machine, claimed: [] } as const;
  const prepare = (wish: Wish = {}) => settle(provider.prepare({ op: 'attach', ...common, ...wish }, read()));
  const start = (ticket: Ticket) => settle(provider.start(ticket, mutate()));
  const ticket = async (wish?: Wish) => ticketOf(await prepare(wish));
  return {
    prepare,
    ticket,
    start,
    resume: (one, claimed = []) => settle(provider.resume(one, read(), claimed)),
    attach: async (wish) => start(await ticket(wish)),
    detach: async (cdiDeviceId, type = 'gpu') => {
      const prepared = await settle(
        provider.prepare({ op: 'detach', ...common, type, device: { cdiDeviceId } }, read()),
      );
      return prepared.tag === 'ticket' ? start(prepared.ticket) : prepared;
    },
  };
}

/** The ticket that was prepared; throws where there is none. */
export function ticketOf(prepared: PrepareOutcome): Ticket {
  if (prepared.tag !== 'ticket') throw new Error(`no ticket: ${JSON.stringify(prepared)}`);
  return prepared.ticket;
}

/** Ids of what is attached to the fabric's first machine, or to another. */
export function attachedTo({ sim, machine }: Fabric<AnySim>, where = machine): readonly string[] {
  return sim.attachedTo(where).map(({ resUuid }) => resUuid);
}

/** What was sent with a method, oldest first. */
export function sentWith({ sent }: Fabric<AnySim>, method: string) {
  return sent
    .filter((request) => request.method === method)
    .map(({ url, headers = {}, body }) => ({ path: new URL(url).pathname, headers, body: jsonOf(body) }));
}

function jsonOf(body: string | undefined): unknown {
  return body === undefined ? undefined : JSON.parse(body);
}
