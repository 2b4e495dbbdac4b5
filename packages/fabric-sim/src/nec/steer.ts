import type { Reply } from '../core/http.ts';
import type { ApplyRecord } from './apply-record.ts';
import type { Applies } from './applies.ts';
import { applyError } from './errors.ts';

const NO_PROCESS =
  'Since the process with the specified ID does not exist, change the status from IN_PROGRESS to FAILED.';

/** PUT ?action=cancel: what it does depends on where the apply stands. */
export function cancel(applies: Applies, record: ApplyRecord, rollback: boolean): Reply {
  switch (record.status) {
    case 'IN_PROGRESS':
      if (record.worker === 'dead') {
        applies.set(record, 'FAILED');
        return applyError(409, 'E40028', NO_PROCESS, { status: 'FAILED' });
      }
      record.executeRollback = rollback;
      applies.set(record, 'CANCELING');
      return told(202, record);
    case 'CANCELING':
      return told(200, record);
    case 'SUSPENDED':
      applies.set(record, 'FAILED');
      return told(202, record);
    case 'CANCELED':
      if (record.rollbackStatus === 'IN_PROGRESS') return notExecutable();
      if (record.rollbackStatus !== 'SUSPENDED') return told(200, record);
      record.rollbackStatus = 'FAILED';
      return told(202, record);
    case 'COMPLETED':
    case 'FAILED':
      return notExecutable();
    default:
      return record.status satisfies never;
  }
}

/** PUT ?action=resume. */
export function resume(applies: Applies, record: ApplyRecord): Reply {
  switch (record.status) {
    case 'IN_PROGRESS':
    case 'CANCELING':
      return notExecutable();
    case 'SUSPENDED':
      applies.resume(record);
      return told(202, record);
    case 'CANCELED':
      if (record.rollbackStatus === 'IN_PROGRESS') return notExecutable();
      if (record.rollbackStatus !== 'SUSPENDED') return told(200, record);
      record.rollbackStatus = 'COMPLETED';
      return { tag: 'json', status: 202, body: { status: 'CANCELED', rollbackStatus: 'IN_PROGRESS' } };
    case 'COMPLETED':
    case 'FAILED':
      return told(200, record);
    default:
      return record.status satisfies never;
  }
}

function told(status: number, { status: now, rollbackStatus }: ApplyRecord): Reply {
  return { tag: 'json', status, body: { status: now, ...(rollbackStatus === undefined ? {} : { rollbackStatus }) } };
}

function notExecutable(): Reply {
  return applyError(409, 'E40022', 'This layoutapply has already executed.');
}
