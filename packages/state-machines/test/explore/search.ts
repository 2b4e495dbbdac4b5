/** One thing that may happen in a world. */
export interface Move<World> {
  readonly label: string;
  readonly to: World;
  /** Whether it still happens when faults have stopped and nobody changes their mind. */
  readonly cooperative: boolean;
  /** What it writes or tells, if anything. */
  readonly says?: string;
}

export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly cooperative: boolean;
  readonly says: string | undefined;
}

/** All worlds that can come about, and how. */
export interface Graph<World> {
  readonly worlds: readonly World[];
  readonly edges: readonly Edge[];
  /** The first edge by which a world was found. */
  readonly foundBy: readonly (Edge | undefined)[];
}

/** Breadth first, so that `storyOf` is as short as can be. `movesOf` throws when a world or a move breaks a rule. */
export function explore<World>(
  initial: readonly World[],
  keyOf: (world: World) => string | number,
  movesOf: (world: World) => readonly Move<World>[],
): Graph<World> {
  const worlds: World[] = [];
  const edges: Edge[] = [];
  const foundBy: (Edge | undefined)[] = [];
  const indices = new Map<string | number, number>();
  const indexOf = (world: World): number => {
    const key = keyOf(world);
    const known = indices.get(key);
    if (known !== undefined) return known;
    indices.set(key, worlds.length);
    worlds.push(world);
    return worlds.length - 1;
  };
  for (const world of initial) indexOf(world);
  foundBy.length = worlds.length;
  for (let from = 0; from < worlds.length; from += 1) {
    const graph = { worlds, edges, foundBy };
    for (const move of tell(graph, from, () => movesOf(at(worlds, from)))) {
      const before = worlds.length;
      const { label, cooperative, says } = move;
      const edge = { from, to: indexOf(move.to), label, cooperative, says };
      edges.push(edge);
      if (worlds.length > before) foundBy[edge.to] = edge;
    }
  }
  return { worlds, edges, foundBy };
}

function tell<World, T>(graph: Graph<World>, index: number, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${storyOf(graph, index)}`, {
      cause: error,
    });
  }
}

/** The shortest way to a world, for a person. */
export function storyOf<World>({ worlds, foundBy }: Graph<World>, index: number): string {
  const labels: string[] = [];
  let at: number = index;
  for (let edge = foundBy[at]; edge !== undefined; edge = foundBy[at]) {
    labels.unshift(edge.label);
    at = edge.from;
  }
  return `from ${JSON.stringify(worlds[at])}\n  ${labels.join('\n  ')}\nto ${JSON.stringify(worlds[index])}`;
}

/** The worlds from which no sequence of the edges leads to one that `isGoal`. */
export function deadEnds<World>(
  graph: Graph<World>,
  isGoal: (world: World) => boolean,
  mayUse: (edge: Edge) => boolean,
): number[] {
  const back: number[][] = graph.worlds.map(() => []);
  for (const edge of graph.edges) if (mayUse(edge)) at(back, edge.to).push(edge.from);
  const reached = graph.worlds.map((world) => isGoal(world));
  const open = reached.flatMap((is, index) => (is ? [index] : []));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const from of at(back, next)) {
      if (reached[from] === true) continue;
      reached[from] = true;
      open.push(from);
    }
  }
  return reached.flatMap((is, index) => (is ? [] : [index]));
}

/** For each world the number of its strongly connected component (Tarjan, without recursion). */
export function componentsOf<World>(graph: Graph<World>, mayUse: (edge: Edge) => boolean): Int32Array {
  const next: number[][] = graph.worlds.map(() => []);
  for (const edge of graph.edges) if (mayUse(edge)) at(next, edge.from).push(edge.to);
  const count = graph.worlds.length;
  const component = new Int32Array(count).fill(-1);
  const order = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const path: number[] = [];
  let clock = 0;
  let components = 0;
  const enter = (node: number) => {
    order[node] = low[node] = clock++;
    path.push(node);
    return { node, child: 0 };
  };
  for (let root = 0; root < count; root += 1) {
    if (order[root] !== -1) continue;
    const calls = [enter(root)];
    for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
      const child = at(next, call.node)[call.child];
      call.child += 1;
      if (child === undefined) {
        calls.pop();
        const parent = calls.at(-1);
        if (parent !== undefined) low[parent.node] = Math.min(at(low, parent.node), at(low, call.node));
        if (low[call.node] !== order[call.node]) continue;
        for (let member = path.pop(); member !== undefined; member = path.pop()) {
          component[member] = components;
          if (member === call.node) break;
        }
        components += 1;
      } else if (order[child] === -1) {
        calls.push(enter(child));
      } else if (component[child] === -1) {
        low[call.node] = Math.min(at(low, call.node), at(order, child));
      }
    }
  }
  return component;
}

function at<T>(list: ArrayLike<T>, index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error(`nothing at ${index}`);
  return found;
}
