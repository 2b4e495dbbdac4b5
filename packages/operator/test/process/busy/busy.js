import { compileFunction } from 'node:vm';
import { systemClock } from '@cro/clock';
import '../../../src/main/small-heap.ts';
import { endProcess } from '../../../src/main/end-process.ts';

/*
 * Keeps V8 compiling and its heap growing, as an operator at work does, for as many milliseconds as the first argument says; then ends with
 * the exit code that is the second.
 */

const [ms, code] = process.argv.slice(2).map(Number);
const functions = Array.from({ length: 1500 }, (_, at) =>
  compileFunction(
    `let sum = ${at};
    for (let k = 0; k < 5; k += 1) {
      sum += a * k + b.x;
      if (sum > ${1000 + at}) sum = { y: sum }.y - ${at};
    }
    const made = { a: sum, b: [sum, b] };
    return made.a + made.b.length;`,
    ['a', 'b'],
  ),
);
const kept = [];
const endAt = systemClock.monotonic() + ms;
let total = 0;
while (systemClock.monotonic() < endAt) {
  for (const one of functions) {
    for (let times = 0; times < 40; times += 1) {
      total += one(times, { x: total % 7 });
      kept.push({ total, list: [total] });
    }
    if (systemClock.monotonic() >= endAt) break;
  }
}
endProcess(code);
