import { verdictOf, type Figure, type Goal, type Unit } from './figure.ts';

/** The figures for a person: one block for each piece of work, each figure with its goal and whether it is met. */
export function table(figures: readonly Figure[]): string {
  const works = [...new Set(figures.map(({ work }) => work))];
  const blocks = works.map((work) => {
    const rows = figures.filter((figure) => figure.work === work).map(line);
    return [work, ...rows].join('\n');
  });
  return `${blocks.join('\n\n')}\n`;
}

function line(figure: Figure): string {
  const { name, value, unit, goal } = figure;
  const verdict = verdictOf(figure);
  const beside = goal === undefined ? '' : `${goalText(goal, unit).padEnd(22)} ${verdict}`;
  return `  ${name.padEnd(40)} ${numberText(value, unit).padStart(12)}   ${beside}`.trimEnd();
}

function goalText(goal: Goal, unit: Unit): string {
  switch (goal.tag) {
    case 'atMost':
      return `goal: at most ${numberText(goal.value, unit)}`;
    case 'exactly':
      return `goal: ${numberText(goal.value, unit)}`;
    default:
      return goal satisfies never;
  }
}

function numberText(value: number, unit: Unit): string {
  switch (unit) {
    case 'count':
      return value.toString();
    case 'ratio':
      return value.toFixed(2);
    case 'ms':
    case 'MiB':
      return `${value.toFixed(0)} ${unit}`;
    case 's':
      return `${value.toFixed(2)} s`;
    default:
      return unit satisfies never;
  }
}
