/** What became of a case. `notShown`: the world cannot do what it needs. `note`: how much was tried. */
export type CaseResult =
  | { readonly tag: 'proven'; readonly note?: string | undefined }
  | { readonly tag: 'notShown'; readonly reason: string }
  | { readonly tag: 'failed' };

/** A table of cases and what became of them, one a line, and how many are proven. */
export function reportOf(
  title: string,
  cases: readonly { readonly name: string }[],
  results: ReadonlyMap<string, CaseResult>,
): string {
  const proven = [...results.values()].filter(({ tag }) => tag === 'proven').length;
  const lines = cases.map(({ name }) => lineOf(name, results.get(name)));
  return [`${title}: ${proven} of ${cases.length} requirements of the provider contract are proven`, ...lines].join(
    '\n',
  );
}

function lineOf(name: string, result: CaseResult | undefined): string {
  switch (result?.tag) {
    case 'proven':
      return `  proven     ${name}${result.note === undefined ? '' : ` (${result.note})`}`;
    case 'notShown':
      return `  not shown  ${name}: ${result.reason}`;
    case 'failed':
      return `  FAILED     ${name}`;
    case undefined:
      return `  not run    ${name}`;
  }
}
