import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const BUSY = fileURLToPath(new URL('busy/busy.js', import.meta.url));
const CODE = 7;
/** With `process.exit` alone one of nine of these hung. */
const PROCESSES = 40;
const AT_ONCE = 2;
const ENDS_WITHIN_MS = 20_000;

/** Starts one that is busy for so many milliseconds. Answers its exit code, or the signal that it needed. */
function ending(ms: number): Promise<number | string | null> {
  const flags = ['--conditions=@cro/source', '--initial-heap-size=4'];
  const args = [...flags, BUSY, String(ms), String(CODE)];
  const child = spawn(process.execPath, args, { stdio: 'ignore', timeout: ENDS_WITHIN_MS, killSignal: 'SIGKILL' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      resolve(signal ?? code);
    });
  });
}

test(`${PROCESSES} processes end while V8 compiles`, { timeout: PROCESSES * ENDS_WITHIN_MS }, async () => {
  const lengths = Array.from({ length: PROCESSES }, (_, at) => 20 + ((at * 37) % 250));
  const endings: (number | string | null)[] = [];
  const lane = async () => {
    for (let ms = lengths.pop(); ms !== undefined; ms = lengths.pop()) endings.push(await ending(ms));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  expect(endings).toEqual(Array.from({ length: PROCESSES }, () => CODE));
});
