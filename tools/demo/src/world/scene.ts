import type { KubeObject, WriteOutcome } from '@cro/kube-runtime';
import { validatingWebhookConfiguration } from '@cro/webhook';
import { namespaceKind, secretKind, webhookConfigurationKind } from './kinds.ts';
import { NAMESPACE, WEBHOOK_CONFIGURATION } from './options.ts';
import type { Plane } from './plane.ts';

/**
 * The operator's namespace, and the Secret with which it signs in to the fabric, where it does. With a port of its webhook, which runs beside
 * the cluster and not in it: has the API server ask it.
 */
export async function setScene(
  { client }: Plane,
  stringData: Readonly<Record<string, string>> | undefined,
  webhookPort: number | undefined,
): Promise<void> {
  const outcomes: WriteOutcome<KubeObject>[] = [await client.create(namespaceKind, { metadata: { name: NAMESPACE } })];
  if (stringData !== undefined) {
    const metadata = { name: 'credentials', namespace: NAMESPACE };
    outcomes.push(await client.create(secretKind, { metadata, type: 'Opaque', stringData }));
  }
  if (webhookPort !== undefined) {
    const address = { url: `https://127.0.0.1:${webhookPort}` };
    const configuration = validatingWebhookConfiguration({ name: WEBHOOK_CONFIGURATION, address });
    outcomes.push(await client.create(webhookConfigurationKind, configuration));
  }
  for (const outcome of outcomes) {
    if (outcome.tag !== 'done') throw new Error(`the scene cannot be set: ${JSON.stringify(outcome)}`);
  }
}

/** Has the API server refuse changes, or let them pass, while the webhook does not answer. */
export async function setFailurePolicy({ client }: Plane, policy: 'Fail' | 'Ignore'): Promise<void> {
  const operations = [{ op: 'replace', path: '/webhooks/0/failurePolicy', value: policy }] as const;
  const ref = { name: WEBHOOK_CONFIGURATION };
  const outcome = await client.patch(webhookConfigurationKind, ref, { type: 'json', operations });
  if (outcome.tag !== 'done') throw new Error(`the webhook's failurePolicy cannot be set: ${JSON.stringify(outcome)}`);
}
