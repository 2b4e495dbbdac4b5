import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { DRIVER } from './slice-object.ts';

/** What is read of a DeviceTaintRule, in any version. */
const RuleSchema = Type.Object({
  spec: Type.Object({
    deviceSelector: Type.Optional(
      Type.Object({
        driver: Type.Optional(Type.String()),
        pool: Type.Optional(Type.String()),
        device: Type.Optional(Type.String()),
      }),
    ),
    taint: Type.Object({ effect: Type.String() }),
  }),
});

/** Of these entries of a node's slice those that no rule keeps from new pods, as the scheduler reads rules: what a selector leaves out fits all. */
export function untainted(node: string, entries: readonly string[], rules: readonly unknown[]): readonly string[] {
  const selectors = rules.flatMap((rule) => {
    if (!Value.Check(RuleSchema, rule)) return [];
    const { deviceSelector, taint } = rule.spec;
    return deviceSelector !== undefined && taint.effect !== 'None' ? [deviceSelector] : [];
  });
  return entries.filter(
    (entry) =>
      !selectors.some(
        ({ driver = DRIVER, pool = node, device = entry }) => driver === DRIVER && pool === node && device === entry,
      ),
  );
}
