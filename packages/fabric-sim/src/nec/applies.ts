import {
  isRunning,
  isSuspended,
  timeText,
  type ApplyEnd,
  type ApplyRecord,
  type ItemResult,
  type Procedure,
} from './apply-record.ts';
import type { NecContext } from './context.ts';
import { runItem } from './item-run.ts';
import type { ReadProcedures } from './procedures.ts';

/** The applies that layout-apply knows, and the work on them. One is at work at a time; its steps run one after the other. */
export class Applies {
  readonly #context: NecContext;
  readonly #records = new Map<string, ApplyRecord>();

  constructor(context: NecContext) {
    this.#context = context;
  }

  /** In the order in which they began. */
  all(): readonly ApplyRecord[] {
    return [...this.#records.values()];
  }

  /** The apply with this id. */
  get(applyID: string): ApplyRecord | undefined {
    return this.#records.get(applyID);
  }

  /** Removes an apply from the history. */
  delete(applyID: string): void {
    this.#records.delete(applyID);
  }

  /** What keeps a new apply from starting. */
  blocker(): { readonly why: 'running' | 'suspended'; readonly record: ApplyRecord } | undefined {
    for (const record of this.#records.values()) {
      if (isRunning(record)) return { why: 'running', record };
      if (isSuspended(record)) return { why: 'suspended', record };
    }
    return undefined;
  }

  /** Begins an apply. The work goes on by itself. */
  begin(read: ReadProcedures, fate: ApplyEnd | undefined): ApplyRecord {
    const record = this.#add(read, fate);
    if (read.procedures.length === 0) this.#end(record, 'COMPLETED');
    else void this.#work(record);
    return record;
  }

  /** Notes an apply of somebody else, at which nobody works. */
  addForeign(status: ApplyRecord['status'], worker: ApplyRecord['worker']): ApplyRecord {
    const record = this.#add({ bodies: [], procedures: [] }, undefined);
    record.worker = worker;
    this.#end(record, status);
    return record;
  }

  /** Goes on with a suspended apply: what has not been completed is done again. */
  resume(record: ApplyRecord): void {
    record.status = 'IN_PROGRESS';
    delete record.endedAt;
    record.resumedAt = this.#now();
    void this.#redo(record);
  }

  /** Sets a status together with the time that belongs to it. */
  set(record: ApplyRecord, status: ApplyRecord['status']): void {
    this.#end(record, status);
  }

  #add({ bodies, procedures }: ReadProcedures, fate: ApplyEnd | undefined): ApplyRecord {
    const record: ApplyRecord = {
      applyID: this.#newId(),
      procedures,
      bodies,
      fate,
      startedAt: this.#now(),
      status: 'IN_PROGRESS',
      worker: 'alive',
      applyResult: [],
    };
    this.#records.set(record.applyID, record);
    return record;
  }

  async #work(record: ApplyRecord): Promise<void> {
    const { fate } = record;
    const results: ItemResult[] = [];
    for (const [index, item] of record.procedures.entries()) {
      if (record.status !== 'IN_PROGRESS') break;
      const end = await runItem(this.#context, item, index === 0 ? fate : undefined);
      if (index === 0 && fate?.status === 'IN_PROGRESS') {
        record.worker = 'dead';
        return;
      }
      results.push(end.result);
      record.applyResult = [...results];
      if (end.result.status === 'COMPLETED') continue;
      record.applyResult = [...results, ...restOf(record, results, 'SKIPPED')];
      this.#end(record, end.suspends ? 'SUSPENDED' : 'FAILED');
      return;
    }
    await this.#conclude(record, results);
  }

  /** The steps are over. A cancel that came meanwhile counts now. */
  async #conclude(record: ApplyRecord, results: readonly ItemResult[]): Promise<void> {
    if (record.status !== 'CANCELING') {
      this.#end(record, 'COMPLETED');
      return;
    }
    record.applyResult = [...results, ...restOf(record, results, 'CANCELED')];
    const { executeRollback = false } = record;
    if (executeRollback) record.rollbackStatus = 'IN_PROGRESS';
    this.#end(record, 'CANCELED');
    if (executeRollback) await this.#rollBack(record, results);
  }

  async #rollBack(record: ApplyRecord, results: readonly ItemResult[]): Promise<void> {
    const opposite = { connect: 'disconnect', disconnect: 'connect', boot: 'shutdown', shutdown: 'boot' } as const;
    const undone: ItemResult[] = [];
    const done = new Set(results.filter(({ status }) => status === 'COMPLETED').map(({ operationID }) => operationID));
    const back = record.procedures
      .filter(({ operationID }) => done.has(operationID))
      .map((item) => ({ ...item, operation: opposite[item.operation] }))
      .reverse();
    record.rollbackStartedAt = this.#now();
    record.rollbackProcedures = back.map(again);
    for (const item of back) {
      const end = await runItem(this.#context, item, undefined);
      undone.push(end.result);
      record.rollbackResult = [...undone];
      if (end.result.status === 'COMPLETED') continue;
      record.rollbackStatus = 'SUSPENDED';
      return;
    }
    record.rollbackStatus = 'COMPLETED';
    record.rollbackEndedAt = this.#now();
  }

  async #redo(record: ApplyRecord): Promise<void> {
    const done = new Set(
      record.applyResult.filter(({ status }) => status === 'COMPLETED').map(({ operationID }) => operationID),
    );
    const results: ItemResult[] = [];
    for (const item of record.procedures.filter(({ operationID }) => !done.has(operationID))) {
      const end = await runItem(this.#context, item, undefined);
      results.push(end.result);
      record.resumeResult = [...results];
      if (end.result.status === 'COMPLETED') continue;
      this.#end(record, end.suspends ? 'SUSPENDED' : 'FAILED');
      return;
    }
    this.#end(record, 'COMPLETED');
  }

  #end(record: ApplyRecord, status: ApplyRecord['status']): void {
    const before = record.status;
    record.status = status;
    const now = this.#now();
    if (status === 'SUSPENDED') {
      record.suspendedAt = now;
      record.resumeProcedures = record.procedures.filter(({ operationID }) => !isDone(record, operationID)).map(again);
    }
    if (status === 'CANCELING' || (status === 'FAILED' && before === 'SUSPENDED')) record.canceledAt = now;
    // One that a person had to decide on ends without this time.
    const isOver = status === 'COMPLETED' || status === 'CANCELED' || status === 'FAILED';
    if (isOver && before !== 'SUSPENDED' && record.worker === 'alive') record.endedAt = now;
  }

  #now(): string {
    return timeText(this.#context.clock.now());
  }

  #newId(): string {
    const digits = () =>
      Math.floor(this.#context.random() * 0x10000)
        .toString(16)
        .padStart(4, '0');
    const applyID = `${digits()}${digits()}${digits()}`.slice(0, 10);
    return this.#records.has(applyID) ? this.#newId() : applyID;
  }
}

function isDone({ applyResult }: ApplyRecord, operationID: number): boolean {
  return applyResult.some((result) => result.operationID === operationID && result.status === 'COMPLETED');
}

/** A step as it is written for a resume or a rollback. */
function again({ operationID, operation, dependencies, source, device }: Procedure) {
  const ends = source === undefined ? {} : { targetCPUID: source };
  return { operationID, operation, dependencies, ...ends, targetDeviceID: device, targetRequestInstanceID: null };
}

function restOf(record: ApplyRecord, results: readonly ItemResult[], status: 'SKIPPED' | 'CANCELED'): ItemResult[] {
  const known = new Set(results.map(({ operationID }) => operationID));
  return record.procedures
    .filter(({ operationID }) => !known.has(operationID))
    .map(({ operationID }) => ({ operationID, status }));
}
