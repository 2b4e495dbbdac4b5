import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Runs the suite that judges the roles after all others: it compares them with what the others needed. */
export class RolesLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLast = ({ moduleId }: TestSpecification) => moduleId.endsWith('/roles.test.ts');
    return [...sorted.filter((file) => !isLast(file)), ...sorted.filter(isLast)];
  }
}
