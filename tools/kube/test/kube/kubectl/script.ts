import type { Terminal } from './terminal.ts';

/** What somebody does at a terminal. */
export type KubectlScript = (at: Terminal) => Promise<void>;

/** Scripts by what they are about. Each uses names of its own. */
export type KubectlScripts = Readonly<Record<string, KubectlScript>>;
