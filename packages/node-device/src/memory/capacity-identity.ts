import type { Identity } from '../identity.ts';
import { chunkId } from './chunk.ts';
import type { MemoryLedger } from './ledger.ts';
import { shownOf } from './shown.ts';

/**
 * Identity of memory where a node shows it by its capacity alone. Nothing on the node has to be found: the id says how much came, and
 * on top of what. What the node showed before the attach is its capacity then.
 */
export function capacityIdentity(ledger: MemoryLedger): Identity {
  return {
    shownBy(node) {
      const capacityMiB = ledger.synced ? ledger.capacityMiB(node) : undefined;
      return capacityMiB === undefined ? undefined : [`${capacityMiB}MiB`];
    },
    unclear: (op, node, deviceId) =>
      op === 'attach' ? arrivalUnclear(ledger, node) : leaveUnclear(ledger, node, deviceId),
    find({ node, hints, before, cdiDeviceId = '' }) {
      const sizeMiB = wholeMiB(hints['memoryMiB'], /^([1-9]\d{0,11})$/);
      if (sizeMiB === undefined) return notYet('the fabric does not say how much memory it attached (hint memoryMiB)');
      const beforeMiB = wholeMiB(before?.[0], /^(\d{1,12})MiB$/);
      if (beforeMiB === undefined) return notYet(`nobody noted how much memory node ${node} had before the attach`);
      const others = shownOf(ledger.chunksOn(node), beforeMiB).reduce((sum, chunk) => sum + chunk.sizeMiB, 0);
      const baseMiB = Math.max(0, beforeMiB - others);
      return { tag: 'identified', deviceId: chunkId({ sizeMiB, baseMiB }, cdiDeviceId) };
    },
  };
}

function wholeMiB(text: string | undefined, form: RegExp): number | undefined {
  const [, digits] = form.exec(text ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function notYet(message: string) {
  return { tag: 'notYet', message } as const;
}

/** Capacity is one number: while a piece leaves, nobody can tell whether another has come. */
function arrivalUnclear(ledger: MemoryLedger, node: string): string | undefined {
  const capacityMiB = ledger.capacityMiB(node);
  if (capacityMiB === undefined) return `node ${node} does not say how much memory it has`;
  const leaving = shownOf(ledger.chunksOn(node), capacityMiB).find(
    ({ standing }) => standing === 'going' || standing === 'released',
  );
  return leaving && `node ${node} still shows memory that the fabric takes back (${leaving.id})`;
}

/** And while one comes, nobody can tell whether another has left. */
function leaveUnclear(ledger: MemoryLedger, node: string, deviceId: string): string | undefined {
  const chunks = ledger.chunksOn(node);
  const shown = new Set(shownOf(chunks, ledger.capacityMiB(node) ?? 0).map(({ id }) => id));
  const coming = chunks.find(({ id, standing }) => id !== deviceId && standing === 'arriving' && !shown.has(id));
  return coming && `node ${node} does not show other memory yet that was attached to it (${coming.id})`;
}
