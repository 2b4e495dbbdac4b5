import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SECRET } from './fabric.ts';
import type { Project } from './project.ts';

/** Variables of a process. */
export type Environment = Readonly<Record<string, string>>;

const OPERATOR = fileURLToPath(new URL('../../../../apps/operator/dist/main.js', import.meta.url));

/** One that should have ended and has not is ended. */
const TIMEOUT_MS = 60_000;

/** Settings that are right. */
export async function settings(project: Project): Promise<Environment> {
  const file = join(project.outside, 'good.yaml');
  await writeFile(file, JSON.stringify({ endpoint: 'https://fabric.test', token: SECRET }));
  return {
    DEVICE_RESOURCE_TYPE: 'DRA',
    CDI_PROVIDER_TYPE: `npm:${project.name}`,
    CDI_PROVIDER_PATH: project.folder,
    CDI_PROVIDER_CONFIG: file,
    PATH: dirname(process.execPath),
  };
}

/** Runs the operator to its end. */
export function operator(env: Environment, ...args: readonly string[]) {
  return new Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }>((resolve) => {
    execFile(process.execPath, [OPERATOR, ...args], { env, timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}
