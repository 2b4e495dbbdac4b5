import { expect } from 'vitest';
import type { World } from './world.ts';

const GROUP = 'flowcontrol.apiserver.k8s.io';
const FOLDER = `/apis/${GROUP}/v1`;
const NAME = 'one-at-a-time';

/**
 * Has priority and fairness give a user no seat of its own: one request at a time is let in all the same, and whatever comes
 * meanwhile is answered with 429.
 */
export async function oneAtATime({ send }: World, user: string): Promise<void> {
  const limited = {
    nominalConcurrencyShares: 0,
    lendablePercent: 0,
    borrowingLimitPercent: 0,
    limitResponse: { type: 'Reject' },
  };
  const level = { kind: 'PriorityLevelConfiguration', spec: { type: 'Limited', limited } };
  const resourceRules = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }];
  const rules = [{ subjects: [{ kind: 'User', user: { name: user } }], resourceRules }];
  const schema = {
    kind: 'FlowSchema',
    spec: { matchingPrecedence: 10, priorityLevelConfiguration: { name: NAME }, rules },
  };
  for (const [plural, object] of [
    ['prioritylevelconfigurations', level],
    ['flowschemas', schema],
  ] as const) {
    const text = JSON.stringify({ apiVersion: `${GROUP}/v1`, metadata: { name: NAME }, ...object });
    expect(await send('POST', `${FOLDER}/${plural}`, { type: 'application/json', text })).toMatchObject({
      status: 201,
    });
  }
}

/** Ends that. */
export async function allAtOnce({ send }: World): Promise<void> {
  expect(await send('DELETE', `${FOLDER}/flowschemas/${NAME}`)).toMatchObject({ status: 200 });
}
