import type { HttpRequest } from '../../contract/host.ts';
import type { Listing } from '../../contract/listing.ts';
import type { Provider } from '../../contract/provider.ts';
import { Wire } from '../wire/wire.ts';
import { assertPresentable, assertTamed } from './presentable.ts';
import type { ContractWorld } from './contract-world.ts';

/** Headers in which a request carries what must stay secret. */
const SECRET_HEADERS = ['authorization', 'x-auth-token', 'cookie'];

/** A fresh fabric with its provider, and a record of everything that the provider has said. */
export class Stage {
  readonly world: ContractWorld;
  readonly wire: Wire;
  readonly #said: { readonly call: string; readonly outcome: unknown }[] = [];

  constructor(world: ContractWorld) {
    this.world = world;
    this.wire = new Wire(world.http, world.clock);
  }

  /** A new process with a new instance of the provider. */
  restart(): Provider {
    const { world, wire } = this;
    return this.#recorded(world.http === undefined ? world.restart() : world.restart(wire.process()));
  }

  /** Fails when the provider has told a secret, or something that does not belong into a log line or an object. */
  assertPresentable(): void {
    const secrets = [...new Set([...this.world.secrets, ...this.wire.sent.flatMap(secretsIn)])];
    for (const { call, outcome } of this.#said) assertPresentable(call, outcome, secrets);
    for (const { url } of this.wire.sent) assertTamed(url);
    assertPresentable('the log', this.world.logged(), secrets);
  }

  #recorded(provider: Provider): Provider {
    const note = async <T>(
      call: string,
      work: Promise<T>,
      said: (outcome: T) => unknown = (all) => all,
    ): Promise<T> => {
      const outcome = await work;
      this.#said.push({ call, outcome: said(outcome) });
      return outcome;
    };
    // Which machines could not be read is told in the caller's own words.
    const listed = ({ devices, unreadable }: Listing) => ({
      devices,
      failures: unreadable.map(({ failure }) => failure),
    });
    return {
      name: provider.name,
      lane: provider.lane,
      settleSeconds: provider.settleSeconds,
      timeouts: provider.timeouts,
      ...(provider.maxInFlight === undefined ? {} : { maxInFlight: provider.maxInFlight }),
      locate: (node, context) => note('locate', provider.locate(node, context)),
      prepare: (request, context) => note('prepare', provider.prepare(request, context)),
      start: (ticket, context) => note('start', provider.start(ticket, context)),
      resume: (ticket, context, claimed) => note('resume', provider.resume(ticket, context, claimed)),
      list: (machines, context) => note('list', provider.list(machines, context), listed),
      inventory: (query, context) => note('inventory', provider.inventory(query, context)),
    };
  }
}

function secretsIn({ headers = {} }: HttpRequest): string[] {
  return Object.entries(headers)
    .filter(([name]) => SECRET_HEADERS.includes(name.toLowerCase()))
    .map(([, value]) => value.replace(/^(bearer|basic)\s+/i, ''))
    .filter((value) => value !== '');
}
