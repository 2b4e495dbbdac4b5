import { findRow, forEachCombination, type Domain, type Row } from '@cro/state-machines/catalogue';

/** What a machine's picture is drawn from. */
export interface Machine<Facts extends object, Act> {
  /** For each state its rows. */
  readonly life: Readonly<Record<string, readonly Row<Facts, Act>[]>>;
  /** The values that the facts may have in a state. */
  readonly domainIn: (state: string) => Domain<Facts>;
  /** Whether facts can occur together. */
  readonly isPossible: (facts: Facts) => boolean;
  /** Any facts with this state; those that are not `varied` stay so. */
  readonly example: (state: string) => Facts;
  /** The facts that are varied. */
  readonly varied: readonly (keyof Facts)[];
  /** Those of them on which an act may base its decision. */
  readonly readByActs: readonly (keyof Facts)[];
  /** The states that a row may lead to, with every outcome of its requests. `end`: the object is let go. */
  readonly leadsTo: (act: Act, facts: Facts) => readonly string[];
}

/** A mermaid diagram of a machine's states. An edge carries the names of the rows that lead along it. */
export function machinePicture<Facts extends object, Act>(machine: Machine<Facts, Act>): string {
  const edges = Object.keys(machine.life).flatMap((state) =>
    [...edgesFrom(state, machine)].map(
      ([to, rows]) => `  ${nameOf(state)} --> ${nameOf(to)}: ${[...rows].join('<br/>')}`,
    ),
  );
  return ['stateDiagram-v2', '  state "(new)" as New', '  [*] --> New', ...edges].join('\n');
}

function nameOf(state: string): string {
  if (state === 'end') return '[*]';
  return state === '' ? 'New' : state;
}

function edgesFrom<Facts extends object, Act>(
  state: string,
  { life, domainIn, isPossible, example, varied, readByActs, leadsTo }: Machine<Facts, Act>,
): Map<string, Set<string>> {
  const rows = life[state] ?? [];
  const edges = new Map<string, Set<string>>();
  const asked = new Set<string>();
  forEachCombination(domainIn(state), example(state), varied, (facts) => {
    const row = isPossible(facts) ? findRow(rows, facts) : undefined;
    if (row === undefined) return;
    const question = [row.name, ...readByActs.map((name) => String(facts[name]))].join();
    if (asked.has(question)) return;
    asked.add(question);
    for (const to of leadsTo(row.act, facts)) {
      if (to !== state) edges.set(to, (edges.get(to) ?? new Set<string>()).add(row.name));
    }
  });
  return edges;
}
