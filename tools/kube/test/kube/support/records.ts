import { readFile } from 'node:fs/promises';
import { readAuditLog, type AuditEntry } from '../../../src/index.ts';
import type { World } from './world.ts';

/** The operator's user agents begin with this. */
const OPERATOR_AGENT = 'composable-resource-operator';

/** A line of the operator's log. */
export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** What the operator has logged at `warn` or `error`. What is no JSON, such as a stack of Node's, counts as an error. */
export async function complaints({ logPath }: Pick<World, 'logPath'>): Promise<readonly LogLine[]> {
  const lines = (await readFile(logPath, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map(parse).filter(({ level }) => level === 'warn' || level === 'error');
}

function parse(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { level: 'error', message: line };
  }
}

/** What the operator has asked of the API server. */
export async function asked({ control }: World): Promise<readonly AuditEntry[]> {
  return (await readAuditLog(control.auditLogPath)).filter(({ userAgent }) => userAgent.startsWith(OPERATOR_AGENT));
}

/** One line for an answer, without names and versions that differ from run to run. */
export function told({ code, verb, resource }: AuditEntry): string {
  return `${code} ${verb} ${resource}`;
}
