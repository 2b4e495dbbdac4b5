import type { CallContext, Listing, ProviderHost, ReadMachine } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import { READS_AT_ONCE, type FtiConfig } from './config.ts';

type Clock = ProviderHost['clock'];

/** How a listing goes about it. */
export interface ListBounds {
  readonly clock: Clock;
  /** How many machines are read at once. */
  readonly atOnce: number;
  /** How long one machine may take, in milliseconds. */
  readonly eachMs: number;
}

/** The bounds of a configuration. */
export function listBounds(
  { clock }: Pick<ProviderHost, 'clock'>,
  { readsAtOnce = READS_AT_ONCE }: Pick<FtiConfig, 'readsAtOnce'>,
  eachMs: number,
): ListBounds {
  return { clock, atOnce: readsAtOnce, eachMs };
}

/** A machine counts as a straggler when at most this part of all is missing. */
const FEW = 0.1;
/** Stragglers are waited for as long again as the others took, and at least for this long, in milliseconds. */
const GRACE_MS = 5_000;

/**
 * Reads each machine once. One that cannot be read is named and delays no other: a machine that never answers takes one of the
 * places, and when all but a few have been read, the listing does not wait for it much longer.
 */
export async function listDevices(
  read: ReadMachine,
  machines: readonly string[],
  { signal, timeoutMs }: CallContext,
  { clock, atOnce, eachMs }: ListBounds,
): Promise<Listing> {
  const devices: Listing['devices'][number][] = [];
  const unreadable: { machine: string; failure: Failure }[] = [];
  const all = [...new Set(machines)];
  const left = all.values();
  const patience = new Patience(clock, all.length);
  const context = { signal: AbortSignal.any([signal, patience.signal]), timeoutMs: Math.min(timeoutMs, eachMs) };
  const worker = async () => {
    for (const machine of left) {
      const found = await read(machine, context);
      if (found.tag === 'devices') devices.push(...found.devices);
      else unreadable.push({ machine, failure: failureOf(found) });
      patience.read();
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, worker));
  patience.end();
  return { devices, unreadable };
}

/** Runs out some time after all but a few machines have been read. */
class Patience {
  readonly #clock: Clock;
  readonly #beganMs: number;
  readonly #few: number;
  readonly #over = new AbortController();
  #missing: number;
  #end: () => void = () => undefined;

  constructor(clock: Clock, machines: number) {
    this.#clock = clock;
    this.#beganMs = clock.monotonic();
    this.#missing = machines;
    this.#few = Math.max(1, Math.floor(machines * FEW));
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** One machine more has been read. */
  read(): void {
    this.#missing -= 1;
    if (this.#missing !== this.#few) return;
    const tookMs = this.#clock.monotonic() - this.#beganMs;
    this.#end = this.#clock.after(Math.max(GRACE_MS, tookMs), () => {
      this.#over.abort(new Error('the other machines have been read long ago'));
    });
  }

  /** Nobody is waited for any more. */
  end(): void {
    this.#end();
  }
}

function failureOf(found: Exclude<Awaited<ReturnType<ReadMachine>>, { tag: 'devices' }>): Failure {
  return found.tag === 'failed' ? found.failure : { kind: 'Rejected', message: found.message };
}
