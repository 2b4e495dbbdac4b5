import { NAMESPACE, TENANT } from './options.ts';

/** Where the operator finds the world. */
export interface OperatorPlace {
  readonly kubeconfigPath: string;
  readonly fabricEndpoint: string;
  readonly fabricCaPath: string;
  readonly webhook: boolean;
}

/** The operator's environment, and nothing of this process's own but the PATH. */
export function operatorEnv(place: OperatorPlace, more: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    KUBECONFIG: place.kubeconfigPath,
    DEVICE_RESOURCE_TYPE: 'DRA',
    CDI_PROVIDER_TYPE: 'FTI_CDI',
    FTI_CDI_API_TYPE: 'FM',
    FTI_CDI_ENDPOINT: place.fabricEndpoint,
    FTI_CDI_TENANT_ID: TENANT,
    CRO_FABRIC_CA_FILE: place.fabricCaPath,
    POD_NAMESPACE: NAMESPACE,
    ENABLE_WEBHOOKS: String(place.webhook),
    ...more,
  };
}
