import { DECLARED_FLAGS } from '../flags/declared-flags.ts';
import { describedVariables } from './describe.ts';

/** The text of docs/settings.md. */
export function settingsMarkdown(): string {
  const variables = describedVariables().map(({ name, meaning, accepts, fallback }) => [
    `\`${name}\``,
    meaning,
    accepts,
    fallback,
  ]);
  const flags = DECLARED_FLAGS.map(({ name, meaning, fallback = '' }) => [`\`--${name}\``, meaning, fallback]);
  return `# Settings

This page is made from the declarations in \`packages/operator/src/process\`; a test fails when it is stale.

## Environment

Variables of the Go operator keep their names and values. An empty variable counts as unset. Anything else that is not
accepted stops the start, with one line for each problem and exit code 2.

${table(['Variable', 'Meaning', 'Accepted', 'Default'], variables)}

The user name, password, client id, client secret and realm for the fabric come from the Secret \`credentials\` in the
operator's namespace (keys \`username\`, \`password\`, \`client_id\`, \`client_secret\`, \`realm\`), and are read again when it changes.

## Flags

\`--flag=value\`, \`--flag value\` and Go's \`-flag=value\` are the same. \`--help\` and \`--version\` print and stop. An unknown flag
stops the start with exit code 2.

${table(['Flag', 'Meaning', 'Default'], flags)}
`;
}

/** A table with aligned columns, as the formatter of this repository writes it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...cells.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]) => `| ${widths.map((width, i) => (row[i] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...cells.map(line)].join('\n');
}
