import { accessTo, type Access, type KubeClient } from '@cro/kube-runtime';
import { resourceNamedBy } from './new-rule.ts';
import type { AccessLog, RuleAccess } from './rule-access.ts';
import { isOurs, taintRuleKind, type TaintRule } from './taint-rule.ts';

/** What looking for abandoned rules needs. */
export interface AbandonedRulesOptions {
  readonly client: KubeClient;
  readonly access: RuleAccess;
  readonly log: AccessLog;
  /** Whether there is a ComposableResource of this name. */
  readonly isThere: (resource: string) => boolean;
}

/** What looking for abandoned rules asks of the API server, beside the right to delete them. */
export const abandonedRulesAccess: Access = accessTo(taintRuleKind('v1'), ['list'], {
  without: 'a DeviceTaintRule that the Go operator has left for a resource that is gone stays',
  need: 'optional',
});

/**
 * Removes the rules that the Go operator has left for resources that are gone: they have no owner, and would keep new pods from
 * the next device of that name for ever. One list, and one delete for each. What fails is logged, and nothing depends on it.
 */
export async function removeAbandonedRules(options: AbandonedRulesOptions): Promise<void> {
  const { client, access, log } = options;
  const served = await access.current();
  if (served.tag !== 'served') return;
  const listed = await client.list(served.kind);
  if (listed.tag === 'failed') {
    log.warn('DeviceTaintRules of resources that are gone cannot be looked for', { error: listed.error.message });
    return;
  }
  for (const rule of listed.objects.filter((one) => isAbandoned(one, options))) {
    const { name, uid } = rule.metadata;
    const outcome = await client.delete(served.kind, { name }, { uid });
    const fields = { rule: name, device: rule.spec.taint.value };
    if (outcome.tag === 'done') log.info('removed the DeviceTaintRule of a resource that is gone', fields);
    else if (outcome.tag === 'refused' || outcome.tag === 'unknown')
      log.warn('the DeviceTaintRule of a resource that is gone stays', { ...fields, error: outcome.error.message });
  }
}

/** Exactly what the Go operator writes, so that nobody else's rule is taken for one. */
function isAbandoned({ metadata, spec, owned }: TaintRule, { isThere }: AbandonedRulesOptions): boolean {
  const { driver, pool, device } = spec.deviceSelector ?? {};
  const { value = '', effect } = spec.taint;
  const names = driver !== undefined && pool !== undefined && device !== undefined && value !== '';
  const resource = resourceNamedBy(metadata.name);
  return !owned && isOurs(spec) && effect === 'NoSchedule' && names && resource !== undefined && !isThere(resource);
}
