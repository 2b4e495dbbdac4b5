// Adds up what the tests of all packages below a folder (the workspace, if none is named) reported, and prints
// `<passed> <failed>`. A file that did not even load counts as
// one failed test; a skipped test counts as failed, because nothing was shown.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = process.argv[2] ?? join(import.meta.dirname, '../../..');
let passed = 0;
let failed = 0;
for (const path of globSync('{packages,apps,tools}/*/coverage/tests.json', { cwd: root })) {
  const report = JSON.parse(readFileSync(join(root, path), 'utf8'));
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  passed += report.numPassedTests;
  failed += report.numTotalTests - report.numPassedTests + unloaded.length;
}
console.log(`${passed} ${failed}`);
