import assert from 'node:assert/strict';
import type { HttpRequest } from '../../contract/host.ts';
import type { AttachedDevice } from '../../contract/ticket.ts';
import { ModelOperator } from '../operator/model-operator.ts';
import type { ContractCase } from '../suite/contract-case.ts';
import { explained } from '../suite/explained.ts';
import type { Stage } from '../suite/stage.ts';
import { attachRequest, contextOf, detachRequest } from '../suite/steps.ts';
import { hostileFaults } from './hostile.ts';
import { faults, type Bounds, type NamedFault } from './faults.ts';
import { worthStriking } from './worth-striking.ts';

type Op = 'attach' | 'detach';

/**
 * For each fault: an attach and a detach, once for each of their requests with the fault at that one. However it went, there is
 * one device, or none, and no more changes were asked for than tickets were started.
 */
export const interruptedCases: readonly ContractCase[] = [...faults, ...hostileFaults].flatMap((fault) =>
  (['attach', 'detach'] as const).map((op) => ({
    name: `${fault.name}, at each request of ${op === 'attach' ? 'an attach' : 'a detach'}: it ends as it would have`,
    needs: ['http'] as const,
    run: (open: () => Stage) => runAtEach(open, op, fault),
  })),
);

async function runAtEach(open: () => Stage, op: Op, fault: NamedFault): Promise<string> {
  const clean = await carriedOut(open(), op);
  const numbers = worthStriking(clean.requests);
  for (const number of numbers) {
    const { method = '', url = '' } = clean.requests[number - 1] ?? {};
    await explained(`${fault.name}, request ${number} (${method} ${url})`, async () => {
      const { starts, changes } = await carriedOut(open(), op, { fault, number });
      const most = starts * clean.changes + (fault.tag === 'twice' ? clean.changes : 0);
      assert(changes <= most, `${changes} changes were asked for, and ${starts} tickets started`);
    });
  }
  return `${numbers.length} requests`;
}

interface Carried {
  readonly requests: readonly HttpRequest[];
  readonly starts: number;
  readonly changes: number;
}

/** Carries an operation out, if need be with a fault at one of its requests, and checks how things stand afterwards. */
async function carriedOut(
  stage: Stage,
  op: Op,
  hit?: { readonly fault: NamedFault; readonly number: number },
): Promise<Carried> {
  const { world, wire } = stage;
  const request = op === 'attach' ? attachRequest(stage) : detachRequest(stage, await attached(stage));
  const before = { requests: wire.sent.length, changes: world.changes() };
  const provider = stage.restart();
  const operator = new ModelOperator(stage, () => [], provider);
  if (hit !== undefined) wire.strikeOnce(before.requests + hit.number, hit.fault.make(boundsOf(provider)));
  const { device } = await world.settle(operator.carryOut(request));
  const more = hit?.fault.tag === 'twice' ? await giveBackUnowned(stage, device) : 0;
  const expected = op === 'attach' ? [device?.cdiDeviceId] : [];
  assert.deepEqual(world.attached(world.machine), expected, 'what is attached is not what the operator was told');
  assert.deepEqual(world.attached(world.otherMachine), []);
  const requests = wire.sent.slice(before.requests);
  return { requests, starts: operator.starts + more, changes: world.changes() - before.changes };
}

function boundsOf({ settleSeconds, timeouts }: Bounds): Bounds {
  return { settleSeconds, timeouts };
}

async function attached(stage: Stage): Promise<AttachedDevice> {
  const { device } = await stage.world.settle(new ModelOperator(stage).carryOut(attachRequest(stage)));
  return device ?? assert.fail('an attach that is done names its device');
}

/** What nobody asked for and no answer told of is the syncer's: it must be in the listing, and it can be given back. */
async function giveBackUnowned(stage: Stage, owned: AttachedDevice | undefined): Promise<number> {
  const { world } = stage;
  const provider = stage.restart();
  const operator = new ModelOperator(stage, () => [], provider);
  const { devices } = await world.settle(provider.list([world.machine], contextOf(provider, 'read')));
  for (const device of devices) {
    if (device.cdiDeviceId === owned?.cdiDeviceId || device.model !== world.wanted.model) continue;
    await world.settle(operator.carryOut(detachRequest(stage, device)));
  }
  return operator.starts;
}
