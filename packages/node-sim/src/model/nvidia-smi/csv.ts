import type { CsvFormat } from './order.ts';

/** A column of nvidia-smi's tables. */
export interface Column<T> {
  /** Its head; fields that have several names have one head. */
  readonly head: string;
  readonly unit?: string;
  readonly value: (row: T) => string;
}

/** Rows as nvidia-smi writes them. */
export function csvOf<T>(columns: readonly Column<T>[], rows: readonly T[], { header, units }: CsvFormat): string {
  const head = columns.map(({ head, unit }) => (unit === undefined || !units ? head : `${head} [${unit}]`));
  const lines = rows.map((row) =>
    columns.map(({ value, unit }) => (unit === undefined || !units ? value(row) : `${value(row)} ${unit}`)).join(', '),
  );
  return [...(header ? [head.join(', ')] : []), ...lines].map((line) => `${line}\n`).join('');
}

/** The columns of these fields, or the first field that there is not. */
export function columnsOf<T>(
  known: Readonly<Record<string, Column<T>>>,
  fields: readonly string[],
): { readonly columns: readonly Column<T>[] } | { readonly unknown: string } {
  const columns: Column<T>[] = [];
  for (const field of fields) {
    const column = Object.hasOwn(known, field) ? known[field] : undefined;
    if (column === undefined) return { unknown: field };
    columns.push(column);
  }
  return { columns };
}
