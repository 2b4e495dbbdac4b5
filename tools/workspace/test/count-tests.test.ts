import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SCRIPT = new URL('../src/count-tests.js', import.meta.url).pathname;

/** What the script says of a workspace whose packages left these reports. */
function count(reports: readonly object[]): string {
  const root = mkdtempSync(join(tmpdir(), 'count-'));
  try {
    reports.forEach((report, index) => {
      const folder = join(root, `packages/p${index}/coverage`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'tests.json'), JSON.stringify(report));
    });
    return execFileSync(process.execPath, [SCRIPT, root], { encoding: 'utf8' }).trim();
  } finally {
    rmSync(root, { recursive: true });
  }
}

const fine = {
  numTotalTests: 3,
  numPassedTests: 3,
  testResults: [{ status: 'passed', assertionResults: [{}, {}, {}] }],
};

it('adds up the tests of all packages', () => {
  expect(count([])).toBe('0 0');
  expect(count([fine, fine])).toBe('6 0');
});

it('counts what failed, what was skipped, and files that did not load', () => {
  expect(count([fine, { ...fine, numPassedTests: 1 }])).toBe('4 2');
  const broken = { numTotalTests: 0, numPassedTests: 0, testResults: [{ status: 'failed', assertionResults: [] }] };
  expect(count([fine, broken])).toBe('3 1');
});
