/** What a figure has to be to meet its goal. */
export type Goal =
  { readonly tag: 'atMost'; readonly value: number } | { readonly tag: 'exactly'; readonly value: number };

/** Units of figures. `count` is a number of things, `ratio` one number of things divided by another. */
export type Unit = 'ms' | 's' | 'MiB' | 'count' | 'ratio';

/** One figure: a cell of a row of goals.md. */
export interface Figure {
  /** What was done: `20 requests of 2 in a row, instant fabric`. */
  readonly work: string;
  /** What was counted: `added latency, P50`. */
  readonly name: string;
  readonly value: number;
  readonly unit: Unit;
  /** Left out where goals.md asks for nothing. */
  readonly goal?: Goal;
}

/** How a figure stands to its goal; `none` where there is no goal. */
export type Verdict = 'MET' | 'MISSED' | 'none';

/** Compares a figure with its goal. */
export function verdictOf({ value, goal }: Figure): Verdict {
  if (goal === undefined) return 'none';
  switch (goal.tag) {
    case 'atMost':
      return value <= goal.value ? 'MET' : 'MISSED';
    case 'exactly':
      return value === goal.value ? 'MET' : 'MISSED';
    default:
      return goal satisfies never;
  }
}

/** Makes the figures of one piece of work. */
export class Figures {
  readonly #work: string;
  readonly #figures: Figure[] = [];

  constructor(work: string) {
    this.#work = work;
  }

  /** All of them, in the order in which they were added. */
  get all(): readonly Figure[] {
    return this.#figures;
  }

  /** Adds one. */
  add(name: string, value: number, unit: Unit, goal?: Goal): this {
    this.#figures.push({ work: this.#work, name, value, unit, ...(goal === undefined ? {} : { goal }) });
    return this;
  }
}

/** The goal is a limit. */
export function atMost(value: number): Goal {
  return { tag: 'atMost', value };
}

/** The goal is this number. */
export function exactly(value: number): Goal {
  return { tag: 'exactly', value };
}
