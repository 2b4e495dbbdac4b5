import { NAMESPACE } from './options.ts';

/** Where the operator finds the world. */
export interface OperatorPlace {
  readonly kubeconfigPath: string;
  readonly fabricEnv: Readonly<Record<string, string>>;
  readonly fabricCaPath: string;
  readonly webhook: boolean;
}

/** The operator's environment, and nothing of this process's own but the PATH. */
export function operatorEnv(place: OperatorPlace, more: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    KUBECONFIG: place.kubeconfigPath,
    DEVICE_RESOURCE_TYPE: 'DRA',
    ...place.fabricEnv,
    CRO_FABRIC_CA_FILE: place.fabricCaPath,
    POD_NAMESPACE: NAMESPACE,
    ENABLE_WEBHOOKS: String(place.webhook),
    ...more,
  };
}
