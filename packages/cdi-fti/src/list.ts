import type { CallContext, Listing, ReadMachine } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';

/** Reads at once: enough to keep a minute's sweep short, few enough not to crowd out attaches. */
const AT_ONCE = 8;

/**
 * Reads each machine once, each within `eachMs`. One that cannot be read is named, and delays no other: a machine that
 * never answers takes one of eight places, and not for the whole time.
 */
export async function listDevices(
  read: ReadMachine,
  machines: readonly string[],
  { signal, timeoutMs }: CallContext,
  eachMs: number,
): Promise<Listing> {
  const context = { signal, timeoutMs: Math.min(timeoutMs, eachMs) };
  const devices: Listing['devices'][number][] = [];
  const unreadable: { machine: string; failure: Failure }[] = [];
  const left = [...new Set(machines)];
  const worker = async () => {
    for (let machine = left.shift(); machine !== undefined; machine = left.shift()) {
      const found = await read(machine, context);
      if (found.tag === 'devices') devices.push(...found.devices);
      else unreadable.push({ machine, failure: failureOf(found) });
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, left.length) }, worker));
  return { devices, unreadable };
}

function failureOf(found: Exclude<Awaited<ReturnType<ReadMachine>>, { tag: 'devices' }>): Failure {
  return found.tag === 'failed' ? found.failure : { kind: 'Rejected', message: found.message };
}
