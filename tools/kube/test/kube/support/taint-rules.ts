import { inject } from 'vitest';
import type { World } from './world.ts';

const [, MINOR = ''] = inject('kubeVersion').split('.');

/** The version in which the API server offers DeviceTaintRules. */
export const RULE_VERSION = Number(MINOR) < 36 ? 'v1alpha3' : 'v1';

/** The DeviceTaintRules there are. */
export async function taintRules({ send }: World): Promise<unknown> {
  const { json } = await send('GET', `/apis/resource.k8s.io/${RULE_VERSION}/devicetaintrules`);
  return json['items'];
}
