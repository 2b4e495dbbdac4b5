import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NODE_AGENT, STORY_AGENT } from '@cro/demo';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { AuditCounter } from '../src/planes/audit-counter.ts';

const OPERATOR = 'composable-resource-operator';
const directory = mkdtempSync(join(tmpdir(), 'cro-audit-'));
const path = join(directory, 'audit.log');
let counter: AuditCounter;

beforeEach(() => {
  writeFileSync(path, '');
  counter = new AuditCounter(path);
});

afterAll(() => {
  rmSync(directory, { recursive: true });
});

/** A line as kube-apiserver writes it: verb, `resource` or `resource/subresource`, who asks. */
function line(verb: string, named: string, userAgent = OPERATOR): string {
  const [resource, subresource] = named.split('/');
  const objectRef = { resource, ...(subresource !== undefined && { subresource }) };
  return `${JSON.stringify({ kind: 'Event', stage: 'ResponseComplete', verb, userAgent, objectRef })}\n`;
}

test('writes, reads, watches and leases are told apart', () => {
  appendFileSync(path, line('create', 'composableresources') + line('patch', 'composableresources/status'));
  appendFileSync(path, line('update', 'composableresources') + line('delete', 'composableresources'));
  appendFileSync(path, line('deletecollection', 'events') + line('create', 'events'));
  appendFileSync(path, line('get', 'nodes') + line('list', 'nodes') + line('watch', 'nodes'));
  appendFileSync(path, line('create', 'leases') + line('update', 'leases') + line('get', 'leases'));
  expect(counter.operatorCounts()).toEqual({ writes: 6, leases: 2, reads: 3, watches: 1, execs: 0 });
});

test('a process that asks for its permissions writes nothing', () => {
  appendFileSync(path, line('create', 'selfsubjectaccessreviews'));
  expect(counter.operatorCounts()).toMatchObject({ writes: 0, reads: 1 });
});

test('execs are counted apart, whichever protocol opens them', () => {
  appendFileSync(path, line('create', 'pods/exec') + line('get', 'pods/exec') + line('get', 'pods/log'));
  expect(counter.operatorCounts()).toEqual({ writes: 0, leases: 0, reads: 1, watches: 0, execs: 2 });
});

test('the control plane itself, the story and the nodes do not count', () => {
  appendFileSync(path, line('update', 'leases', 'kube-apiserver/v1.34.4 (linux/amd64) kubernetes/1234567'));
  appendFileSync(path, line('create', 'composabilityrequests', STORY_AGENT));
  appendFileSync(path, line('create', 'resourceslices', NODE_AGENT));
  expect(counter.operatorCounts()).toEqual({ writes: 0, leases: 0, reads: 0, watches: 0, execs: 0 });
  appendFileSync(path, line('patch', 'validatingwebhookconfigurations', `${OPERATOR}-webhook`));
  expect(counter.operatorCounts()).toMatchObject({ writes: 1 });
});

test('a line is counted once, and when all of it is there', () => {
  const text = line('create', 'composableresources');
  appendFileSync(path, text + text.slice(0, 40));
  expect(counter.operatorCounts().writes).toBe(1);
  expect(counter.operatorCounts().writes).toBe(1);
  appendFileSync(path, text.slice(40));
  expect(counter.operatorCounts().writes).toBe(2);
});

test('more than is read at once, with a character across two reads, is counted whole', () => {
  const text = line('create', 'composableresources', `${OPERATOR} \u{1f600}`);
  const lines = Math.ceil((2.5 * 2 ** 20) / Buffer.byteLength(text));
  appendFileSync(path, text.repeat(lines));
  expect(counter.operatorCounts().writes).toBe(lines);
});
