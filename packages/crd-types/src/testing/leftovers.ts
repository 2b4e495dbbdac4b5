import type { Leftover } from './leftover.ts';
import { givenBack, leaving } from './leftovers-leaving.ts';
import { attaching, beginning, working } from './leftovers-staying.ts';

/** Every state in which the Go operator leaves objects. */
export const leftovers: readonly Leftover[] = [...working, ...beginning, ...attaching, ...leaving, ...givenBack];
