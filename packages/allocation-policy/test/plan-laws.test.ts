import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plan, type Child, type Plan, type PlanInput } from '../src/index.ts';
import { anyInput } from './support/arbitraries.ts';

/** Every law is tried on this many inputs. */
const runs = { numRuns: 2000 };

const created = (result: Plan) => (result.tag === 'planned' ? result.create : []);

/** The input as it is once the plan was carried out: dropped children gone, new ones planned, devices counted. */
function carryOut(input: PlanInput, result: Plan): PlanInput {
  const dropped = input.children.filter(({ name }) => result.drop.includes(name));
  const added = created(result).map((node, index): Child => {
    const { type, model, force_detach: forceDetach = false } = input.resource;
    const unused = { hasDevice: false, failing: false, deleteAnnotated: false, lastUsedMs: 0 };
    return { name: `new-${index}`, node, state: '', created: false, type, model, forceDetach, ...unused };
  });
  const countOn = (children: readonly Child[], node: string) => children.filter((child) => child.node === node).length;
  return {
    ...input,
    children: [...input.children.filter((child) => !dropped.includes(child)), ...added],
    nodes: input.nodes.map((node) => {
      const left = Math.max(0, node.composedDevices - countOn(dropped, node.name));
      return { ...node, composedDevices: left + countOn(added, node.name) };
    }),
  };
}

/** Checks a law on any input. */
function always(law: (input: PlanInput, result: Plan) => void): void {
  fc.assert(
    fc.property(anyInput, (input) => {
      law(input, plan(input));
    }),
    runs,
  );
}

describe('every plan', () => {
  it('puts each child either into keep or into drop', () => {
    always(({ children }, { keep, drop }) => {
      expect([...keep, ...drop].sort()).toEqual(children.map(({ name }) => name).sort());
    });
  });

  it('makes up the size exactly, or says that it cannot and makes nothing', () => {
    always(({ resource }, result) => {
      const total = result.keep.length + created(result).length;
      if (result.tag === 'planned') expect(total).toBe(resource.size);
      else expect(total).toBeLessThan(resource.size);
    });
  });

  it('holds the policy', () => {
    always((input, result) => {
      const kept = input.children.filter(({ name }) => result.keep.includes(name)).map(({ node }) => node);
      const nodes = [...kept, ...created(result)];
      const most = input.resource.allocation_policy === 'differentnode' ? nodes.length : Math.min(1, nodes.length);
      expect(new Set(nodes).size).toBe(most);
    });
  });

  it('makes children only on nodes that are ready, schedulable, mapped, supplied and not taken', () => {
    always(({ nodes, resource }, result) => {
      for (const name of created(result)) {
        const node = nodes.find((each) => each.name === name);
        expect(node).toMatchObject({ ready: true, schedulable: true, machine: `machine-${name}` });
        expect(node?.freeOnFabric).not.toBe('no');
        if (resource.allocation_policy === 'differentnode') continue;
        const rivals = node?.usedBy.filter((use) => use.request !== 'mine' && use.policy === 'samenode') ?? [];
        expect(rivals.some((use) => use.type === resource.type && use.model === resource.model)).toBe(false);
      }
    });
  });

  it('keeps only what the request asks for', () => {
    always(({ children, resource }, { keep }) => {
      for (const child of children.filter(({ name }) => keep.includes(name))) {
        expect(child).toMatchObject({ type: resource.type, model: resource.model });
        expect(child.forceDetach).toBe(resource.force_detach ?? false);
      }
    });
  });

  it('is the last one: planning again after it was carried out changes nothing', () => {
    always((input, result) => {
      const after = carryOut(input, result);
      const again = plan(after);
      expect(again).toMatchObject({ tag: result.tag, drop: [] });
      expect(again.keep).toEqual(after.children.map(({ name }) => name).sort());
      if (again.tag === 'planned') expect(again.create).toEqual([]);
      else expect(again).toEqual({ ...result, drop: [] });
    });
  });

  it('does not depend on the order of the lists', () => {
    fc.assert(
      fc.property(
        anyInput.chain((input) => {
          const shuffle = <T>(list: readonly T[]) => fc.shuffledSubarray([...list], { minLength: list.length });
          return fc.tuple(fc.constant(input), shuffle(input.children), shuffle(input.nodes));
        }),
        ([input, children, nodes]) => {
          expect(plan({ ...input, children, nodes })).toEqual(plan(input));
        },
      ),
      runs,
    );
  });
});

describe('a request that grows', () => {
  it('keeps everything that it keeps at its present size', () => {
    fc.assert(
      fc.property(anyInput, fc.integer({ min: 1, max: 3 }), (input, more) => {
        const larger = { ...input, resource: { ...input.resource, size: input.resource.size + more } };
        expect(plan(larger).keep).toEqual(expect.arrayContaining([...plan(input).keep]));
      }),
      runs,
    );
  });

  it('keeps all of a plan that was carried out', () => {
    always((input, result) => {
      const after = carryOut(input, result);
      const larger = { ...after, resource: { ...after.resource, size: after.resource.size + 1 } };
      expect(plan(larger).drop).toEqual([]);
    });
  });
});
