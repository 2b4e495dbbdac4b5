import { setFlagsFromString } from 'node:v8';

/**
 * Ends this process at once, whatever still runs in it. Node joins V8's threads at the end and collects no garbage any more: a thread that compiles
 * and waits for a collection would wait for ever, and the process with it (https://github.com/nodejs/node/issues/54918). A heap that is kept
 * small makes such a thread ask for one as soon as the heap is at its limit; now it may go beyond.
 */
export function endProcess(code: number): never {
  setFlagsFromString('--no-optimize-for-size');
  setFlagsFromString('--no-maglev');
  process.exit(code);
}
