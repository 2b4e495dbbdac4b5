export { createExec, type Exec, type ExecOptions } from './exec/create-exec.ts';
export { limitExec, type ExecLimit } from './exec/limit-exec.ts';
export type { ExecOutcome } from './exec/outcome.ts';
export type { ExecRequest } from './exec/request.ts';
