import type { Bash } from 'just-bash/browser';

type Plugin = Parameters<Bash['registerTransformPlugin']>[0];

/**
 * Changes scripts where just-bash 3.4.2 does not do what a shell does. `exec program ...` goes on behind the program: it becomes
 * `{ program ...; exit; }`. In the patterns of `case`, `[!...]` means what `[...]` does: it becomes `[^...]`.
 */
export const asInSh: Plugin = {
  name: 'as-in-sh',
  transform({ ast }) {
    visit(ast);
    return { ast };
  },
};

interface Exec {
  readonly args: readonly unknown[];
}

function visit(node: unknown): void {
  if (Array.isArray(node)) {
    const list: unknown[] = node;
    for (const [index, item] of list.entries()) {
      visit(item);
      if (isExec(item)) list[index] = ending(item);
    }
  } else if (typeof node === 'object' && node !== null) {
    if (isGlob(node)) Object.assign(node, { pattern: node.pattern.replaceAll('[!', '[^') });
    Object.values(node).forEach(visit);
  }
}

function isGlob(node: object): node is { readonly pattern: string } {
  return 'type' in node && node.type === 'Glob' && 'pattern' in node && typeof node.pattern === 'string';
}

function isExec(node: unknown): node is Exec {
  if (typeof node !== 'object' || node === null || !('type' in node) || node.type !== 'SimpleCommand') return false;
  return (
    'args' in node && Array.isArray(node.args) && node.args.length > 0 && 'name' in node && isWord(node.name, 'exec')
  );
}

/** Whether a word is that text, plainly. */
function isWord(node: unknown, value: string): boolean {
  if (typeof node !== 'object' || node === null || !('parts' in node) || !Array.isArray(node.parts)) return false;
  const parts: readonly unknown[] = node.parts;
  const [part] = parts;
  return parts.length === 1 && typeof part === 'object' && part !== null && 'value' in part && part.value === value;
}

function ending(node: Exec): object {
  const [name, ...args] = node.args;
  return { type: 'Group', body: [statement({ ...node, name, args }), statement(exit())], redirections: [] };
}

function statement(command: object): object {
  const pipeline = { type: 'Pipeline', commands: [command], negated: false };
  return { type: 'Statement', pipelines: [pipeline], operators: [], background: false };
}

function exit(): object {
  return { type: 'SimpleCommand', name: word('exit'), args: [], assignments: [], redirections: [] };
}

function word(value: string): object {
  return { type: 'Word', parts: [{ type: 'Literal', value }] };
}
