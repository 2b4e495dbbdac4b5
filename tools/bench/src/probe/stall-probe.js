/*
 * Loaded into the operator's process with `node --import`, so that nothing of it ships: looks for stalls of the event
 * loop. On SIGUSR2 it writes what it saw since the last time to the file that CRO_BENCH_STALLS names.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setInterval, setTimeout } from 'node:timers';

/** How often the loop has to come round, in milliseconds. A stall of b ms shows as a gap of b to b + 10 ms. */
const INTERVAL_MS = 10;

const path = process.env['CRO_BENCH_STALLS'];
if (path === undefined) throw new Error('CRO_BENCH_STALLS is not set; accepted: the path of the file to write');

let last = 0;
let lastCpu = process.cpuUsage();
let seen = { gapMs: 0, cpuMs: 0 };

function look() {
  const now = performance.now();
  const cpu = process.cpuUsage();
  const gapMs = now - last;
  const cpuMs = (cpu.user - lastCpu.user + cpu.system - lastCpu.system) / 1000;
  // Threads beside the loop may use more CPU time than goes by.
  seen = { gapMs: Math.max(seen.gapMs, gapMs), cpuMs: Math.max(seen.cpuMs, Math.min(gapMs, cpuMs)) };
  last = now;
  lastCpu = cpu;
}

// The first turn of the loop comes when the program's modules have been evaluated: loading them is no stall.
setTimeout(() => {
  last = performance.now();
  lastCpu = process.cpuUsage();
  setInterval(look, INTERVAL_MS).unref();
}).unref();

process.on('SIGUSR2', () => {
  // What is running too long at this moment counts.
  look();
  // A reader must not see half of it.
  writeFileSync(`${path}.new`, JSON.stringify(seen));
  renameSync(`${path}.new`, path);
  seen = { gapMs: 0, cpuMs: 0 };
});
