import { validatingWebhookConfiguration } from '@cro/webhook';
import type { FabricSim } from '@cro/fabric-sim';
import { NAMESPACE, WEBHOOK_CONFIGURATION } from './options.ts';

/** The operator's namespace. */
export function namespaceObject() {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
}

/** The Secret with which the operator signs in to the fabric. */
export function credentialsSecret({ credentials }: Pick<FabricSim, 'credentials'>) {
  const { username, password, clientId, clientSecret, realm } = credentials;
  const values = { username, password, client_id: clientId, client_secret: clientSecret, realm };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'credentials', namespace: NAMESPACE },
    type: 'Opaque',
    data: Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
    ),
  };
}

/** Has the API server ask the operator's webhook, which runs beside the cluster and not in it. */
export function webhookConfiguration(port: number) {
  return validatingWebhookConfiguration({
    name: WEBHOOK_CONFIGURATION,
    address: { url: `https://127.0.0.1:${port}` },
  });
}
