import { cleanText, type Answer, type Asked, type Failure, type Listing, type MachineRead } from '@cro/cdi-core';
import { devicesOf, type Machine } from './wire.ts';

/** What a look at a machine brought. */
export function readBy(machine: string, answer: Answer<Machine>): MachineRead {
  if (answer.tag === 'ok') return { tag: 'devices', devices: devicesOf(machine, answer.value) };
  if (answer.tag === 'status' && answer.status === 404) {
    return { tag: 'absent', message: `the fabric has no machine '${machine}'` };
  }
  return { tag: 'failed', failure: failureOf(answer) };
}

/**
 * What became of a change. This is the place to be careful: `refused` is a promise that nothing has happened and nothing will,
 * and only what the fabric's documentation says may give it. All else is in doubt, and is found out by reads.
 */
export function askedBy(machine: string, answer: Answer<Machine>): Asked {
  if (answer.tag === 'ok') return { tag: 'done', devices: devicesOf(machine, answer.value) };
  const failure = failureOf(answer);
  if (answer.tag === 'noAnswer') return { tag: answer.sent ? 'inDoubt' : 'refused', failure };
  // This fabric promises that an answer of 4xx, and 507, have changed nothing.
  const promised = answer.tag === 'status' && ((answer.status >= 400 && answer.status < 500) || answer.status === 507);
  return promised ? { tag: 'refused', failure } : { tag: 'inDoubt', failure: { ...failure, kind: 'InDoubt' } };
}

/** Whether and when it is worth trying again is in the kind. */
function failureOf(answer: Exclude<Answer<Machine>, { readonly tag: 'ok' }>): Failure {
  switch (answer.tag) {
    case 'noAnswer':
      return answer.failure;
    case 'mismatch':
      return { kind: 'Protocol', message: `my-fabric: ${answer.problem}` };
    case 'status':
      return { kind: kindOf(answer.status), message: `my-fabric: HTTP ${answer.status}: ${cleanText(answer.body)}` };
  }
}

function kindOf(status: number): Failure['kind'] {
  if (status === 401 || status === 403) return 'Unauthenticated';
  if (status === 409) return 'Busy';
  if (status === 423) return 'Blocked';
  if (status === 507) return 'Exhausted';
  return status >= 500 ? 'Unreachable' : 'Rejected';
}

/** One look at each machine, all at once: a machine that cannot be read is named, and hides no other. */
export async function listBy(
  machines: readonly string[],
  read: (machine: string) => Promise<MachineRead>,
): Promise<Listing> {
  const looks = machines.map(async (machine) => ({ machine, found: await read(machine) }));
  const all = await Promise.all(looks);
  return {
    devices: all.flatMap(({ found }) => (found.tag === 'devices' ? found.devices : [])),
    unreadable: all.flatMap(({ machine, found }) => {
      if (found.tag === 'devices') return [];
      const failure: Failure = found.tag === 'failed' ? found.failure : { kind: 'Rejected', message: found.message };
      return [{ machine, failure }];
    }),
  };
}
