import type { ApplyRecord } from './apply-record.ts';
import type { Applies } from './applies.ts';
import type { NecContext } from './context.ts';

/** What a test does by hand to a CDIM. */
export function steps({ marks, view }: NecContext, applies: Applies) {
  return {
    applies: () => applies.all(),
    foreignApply: (status: ApplyRecord['status'], worker: ApplyRecord['worker'] = 'alive') =>
      applies.addForeign(status, worker).applyID,
    setApply: (applyID: string, status: ApplyRecord['status']) => {
      const record = applies.get(applyID);
      if (record === undefined) throw new Error(`there is no apply ${applyID}`);
      applies.set(record, status);
    },
    forgetApply: (applyID: string) => {
      applies.delete(applyID);
    },
    sync: () => {
      view.sync();
    },
    setAvailable: (id: string, available: boolean) => {
      marks.setAvailable(id, available);
    },
    setGroups: (id: string, groups: readonly string[]) => {
      marks.setGroups(id, groups);
    },
    setBuiltIn: (id: string, machine: string) => {
      marks.setBuiltIn(id, machine);
    },
    setSerialNumber: (id: string, serial: string) => {
      marks.setSerialNumber(id, serial);
    },
    setDetected: (id: string, detected: boolean) => {
      marks.setDetected(id, detected);
    },
  };
}
