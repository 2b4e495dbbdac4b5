import type { Clock } from '@cro/clock';
import type { ComposabilityRequest } from '@cro/crd-types';
import type { KubeClient, Transport } from '@cro/kube-runtime';
import { certificateNames, startWebhook, validatingWebhookConfiguration, type Webhook } from '@cro/webhook';

const address = { service: { namespace: 'cro-system', name: 'webhook', port: 443 } };

// To be applied once; its caBundle is filled in by the webhook.
export const manifest = validatingWebhookConfiguration({ name: 'cro-webhook', address });

export function serve(
  world: { clock: Clock; random: () => number; client: KubeClient; transport: Transport },
  listRequests: () => readonly ComposabilityRequest[],
  port = 9443,
): Promise<Webhook> {
  const { clock, random, client, transport } = world;
  return startWebhook({
    clock,
    random,
    port,
    listRequests,
    certificates: {
      tag: 'managed',
      client,
      transport,
      secret: { namespace: 'cro-system', name: 'webhook-certificates' },
      configuration: manifest.metadata.name,
      names: certificateNames(address),
    },
  });
}
