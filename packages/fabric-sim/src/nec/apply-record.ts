/** Words for where an apply stands (layout-apply 0.1.1). */
export type ApplyStatus = 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELING' | 'CANCELED' | 'SUSPENDED';

/** Words for where the rollback of a canceled apply stands. */
export type RollbackStatus = 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'SUSPENDED';

/** One step of an apply, in the words of either dialect. */
export interface Procedure {
  readonly operationID: number;
  readonly operation: 'connect' | 'disconnect' | 'boot' | 'shutdown';
  readonly dependencies: readonly number[];
  /** What is asked to connect: a CPU, or in the product's dialect the I/O side's fabric adapter. */
  readonly source?: string;
  /** What is connected or powered. */
  readonly device: string;
}

/** How one step ended. */
export interface ItemResult {
  readonly operationID: number;
  readonly status: 'COMPLETED' | 'FAILED' | 'SKIPPED' | 'CANCELED';
  readonly uri?: string;
  readonly method?: string;
  readonly requestBody?: unknown;
  readonly statusCode?: number;
  readonly responseBody?: unknown;
  /** What was asked before the call itself, where that went wrong. */
  readonly getInformation?: { readonly responseBody: unknown };
  /** What was asked after power was switched on, where that went wrong. */
  readonly isOSBoot?: { readonly statusCode: number; readonly responseBody: unknown };
  readonly startedAt?: string;
  readonly endedAt?: string;
}

/** What becomes of an apply that a fault strikes, in place of what the hardware would have said. */
export interface ApplyEnd {
  /** `IN_PROGRESS`: its worker dies, and it stays so until somebody cancels it. */
  readonly status: 'FAILED' | 'SUSPENDED' | 'IN_PROGRESS';
  /** `E40003` (hw-control timed out), `E40007` (unreachable), `EF011BAS000` (conflict), `ER005BAS000` (busy), ... */
  readonly code?: string;
  /** HTTP status that the result shows; 500 unless given. */
  readonly statusCode?: number;
  /** Where it went wrong: in the call itself, unless given, or in the question before or after it. */
  readonly at?: 'getInformation' | 'isOSBoot';
  /** Whether the hardware did it all the same. */
  readonly happened?: boolean;
}

/** An apply, as layout-apply keeps it; the times are texts of whole seconds. */
export interface ApplyRecord {
  readonly applyID: string;
  readonly procedures: readonly Procedure[];
  readonly bodies: readonly unknown[];
  readonly fate: ApplyEnd | undefined;
  readonly startedAt: string;
  status: ApplyStatus;
  worker: 'alive' | 'dead';
  applyResult: readonly ItemResult[];
  /** Only of one that was canceled while it was at work. */
  executeRollback?: boolean;
  endedAt?: string;
  canceledAt?: string;
  suspendedAt?: string;
  resumedAt?: string;
  resumeProcedures?: readonly unknown[];
  resumeResult?: readonly ItemResult[];
  rollbackProcedures?: readonly unknown[];
  rollbackStatus?: RollbackStatus;
  rollbackStartedAt?: string;
  rollbackEndedAt?: string;
  rollbackResult?: readonly ItemResult[];
}

/** Whether an apply keeps others from starting because work is going on. */
export function isRunning({ status, rollbackStatus }: ApplyRecord): boolean {
  return status === 'IN_PROGRESS' || status === 'CANCELING' || rollbackStatus === 'IN_PROGRESS';
}

/** Whether an apply keeps others from starting until a person decides. */
export function isSuspended({ status, rollbackStatus }: ApplyRecord): boolean {
  return status === 'SUSPENDED' || rollbackStatus === 'SUSPENDED';
}

/** `YYYY-MM-DDThh:mm:ssZ`. */
export function timeText(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}
