import type { ApplyRecord } from './apply-record.ts';

const DETAILS = [
  'procedures',
  'applyResult',
  'rollbackProcedures',
  'rollbackResult',
  'resumeProcedures',
  'resumeResult',
] as const;

/** Parts of a record that a listing shows only when it is asked to. */
export type Detail = (typeof DETAILS)[number];

/** Whether a word names a part of a record. */
export function isDetail(word: string): word is Detail {
  return DETAILS.some((detail) => detail === word);
}

/** A record as GET shows it: what it does not have is left out. */
export function recordBody(
  record: ApplyRecord,
  details: readonly Detail[] = DETAILS,
): Readonly<Record<string, unknown>> {
  const { applyID, status, startedAt, endedAt, canceledAt, executeRollback, rollbackStatus } = record;
  const { suspendedAt, resumedAt, rollbackStartedAt, rollbackEndedAt } = record;
  const isFirstRun = resumedAt === undefined && (status === 'IN_PROGRESS' || status === 'CANCELING');
  const all: Readonly<Record<Detail, unknown>> = {
    procedures: record.bodies,
    // Written when the work is over.
    applyResult: isFirstRun ? undefined : record.applyResult,
    rollbackProcedures: record.rollbackProcedures,
    rollbackResult: record.rollbackResult,
    resumeProcedures: record.resumeProcedures,
    resumeResult: record.resumeResult,
  };
  const shown = Object.fromEntries(details.map((detail) => [detail, all[detail]]));
  // JSON has no undefined: it is left out when this is written.
  return {
    applyID,
    status,
    startedAt,
    endedAt,
    canceledAt,
    executeRollback,
    rollbackStatus,
    rollbackStartedAt,
    rollbackEndedAt,
    suspendedAt,
    resumedAt,
    ...shown,
  };
}
