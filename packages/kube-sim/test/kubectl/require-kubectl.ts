import { execFileSync } from 'node:child_process';

/** Run before the suite: without kubectl it fails in one line, and not test by test. */
export default function requireKubectl(): void {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
  } catch {
    throw new Error('kubectl was not found on the PATH: this suite needs kubectl 1.32 or later');
  }
}
