import { setFlagsFromString } from 'node:v8';
import { AT_REST } from './heap-follows-work.ts';

/*
 * Imported first. V8 lets its young generation grow to 32 MiB before it collects; an operator at rest makes little garbage,
 * and its pod has 128 MiB. Set here and not on the command line, so that it holds however the program is started.
 */
AT_REST.forEach((flag) => {
  setFlagsFromString(flag);
});
