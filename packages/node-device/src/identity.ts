import type { IdentifyOutcome } from './outcomes.ts';

/** A device that the fabric attached to a node without knowing what the node calls it. */
export interface IdentityQuestion {
  readonly node: string;
  /** Name of the ComposableResource. */
  readonly resource: string;
  /** What the fabric calls it. */
  readonly cdiDeviceId?: string;
  /** What the fabric knows of it: `serialNumber`, `pcieSerialNumber`, `uuid`, `model`; of memory `memoryMiB`. */
  readonly hints: Readonly<Record<string, string>>;
  /** Ids that the node showed before the attach; `undefined`: nobody looked. */
  readonly before: readonly string[] | undefined;
  /** Ids that belong to others. */
  readonly taken: readonly string[];
}

/** What the cluster's own view of its nodes says about who is who. */
export interface Identity {
  /** The ids that a node shows; `undefined`: not known yet. */
  shownBy(node: string): readonly string[] | undefined;
  /** Why nobody could tell, now, whether a device has come to a node or left it; undefined, or no such method: it can be told. */
  unclear?(op: 'attach' | 'detach', node: string, deviceId: string): string | undefined;
  /** Finds what the node calls a device; `undefined`: only a command on the node can tell. */
  find(question: IdentityQuestion): IdentifyOutcome | undefined;
}

/** A device as a node shows it. */
export interface ShownDevice {
  readonly id: string;
  readonly model?: string;
  readonly serialNumber?: string;
  /** What the PCI device itself tells, in hex. */
  readonly pcieSerialNumber?: string;
}

/**
 * Which of the devices that a node shows it is: the one with the fabric's serial number, or with its UUID; else the one GPU of
 * that model that is new since before the attach, if it is exactly one. That holds because nothing else is attached to a node
 * while a device of it is not identified, and because `before` was seen in the same way as `shown`.
 */
export function identifyAmong(question: IdentityQuestion, shown: readonly ShownDevice[]): IdentifyOutcome {
  const taken = new Set(question.taken.map(bare));
  const free = unique(shown).filter(({ id }) => !taken.has(bare(id)));
  return byMark(question, free) ?? byDifference(question, free);
}

function byMark({ hints }: IdentityQuestion, free: readonly ShownDevice[]): IdentifyOutcome | undefined {
  const marked = free.filter((device) => hasMark(device, hints));
  const [only] = marked;
  return only === undefined || marked.length > 1 ? undefined : { tag: 'identified', deviceId: only.id };
}

/** Fabrics write the serial number of a PCI device with dashes or without; some give the board's under that name. */
function hasMark(device: ShownDevice, { serialNumber, pcieSerialNumber, uuid }: IdentityQuestion['hints']): boolean {
  const serials = [serialNumber, pcieSerialNumber].filter((serial) => serial !== undefined);
  return (
    (device.serialNumber !== undefined && serials.includes(device.serialNumber)) ||
    (device.pcieSerialNumber !== undefined &&
      pcieSerialNumber !== undefined &&
      plain(device.pcieSerialNumber) === plain(pcieSerialNumber)) ||
    (uuid !== undefined && bare(device.id) === bare(uuid))
  );
}

function byDifference({ node, hints, before }: IdentityQuestion, free: readonly ShownDevice[]): IdentifyOutcome {
  if (before === undefined) {
    return notYet(`nobody knows which GPUs node ${node} showed before the attach, and none has the serial number`);
  }
  const known = new Set(before.map(bare));
  const fresh = free.filter(({ id, model }) => !known.has(bare(id)) && isLike(model, hints['model']));
  const [only] = fresh;
  if (only === undefined) return notYet(`waiting until node ${node} shows a new GPU of that model`);
  if (fresh.length === 1) return { tag: 'identified', deviceId: only.id };
  return notYet(`node ${node} shows ${fresh.length} new GPUs of that model: which of them it is cannot be told`);
}

function notYet(message: string): IdentifyOutcome {
  return { tag: 'notYet', message };
}

/** The same device may stand in two generations of a pool. */
function unique(devices: readonly ShownDevice[]): readonly ShownDevice[] {
  return [...new Map(devices.map((device) => [bare(device.id), device])).values()];
}

/** Fabric and driver write a model each in their own way: case, blanks and dashes do not count, and one may say more. */
function isLike(shown: string | undefined, wanted: string | undefined): boolean {
  if (shown === undefined || wanted === undefined) return true;
  const [left, right] = [plain(shown), plain(wanted)];
  return left.includes(right) || right.includes(left);
}

function plain(model: string): string {
  return model.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function bare(uuid: string): string {
  return uuid.toLowerCase().replace(/^gpu-/, '');
}
