import { GROUP, VERSION } from '@cro/crd-types';
import { WEBHOOK_PATH } from './review/handle.ts';

/** Name of the webhook within its configuration; users see it in every refusal. */
export const WEBHOOK_NAME = 'vcomposabilityrequest.kb.io';

/** Where the API server finds the webhook. */
export type WebhookAddress =
  /** Through a Service of the cluster. */
  | { readonly service: { readonly namespace: string; readonly name: string; readonly port?: number } }
  /** At a host and port outside of the cluster, `https://host:9443`. */
  | { readonly url: string };

/** What a ValidatingWebhookConfiguration is made of. */
export interface WebhookConfigurationOptions {
  /** Name of the configuration. */
  readonly name: string;
  readonly address: WebhookAddress;
  /** PEM of the authorities to trust. Leave it out where the webhook injects its own. */
  readonly caBundle?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * CEL conditions under which the API server asks at all. They hold without the webhook being up, so that a webhook that
 * is down never blocks a deletion or a change of labels.
 */
const MATCH_CONDITIONS = [
  { name: 'not-being-deleted', expression: '!has(object.metadata.deletionTimestamp)' },
  { name: 'spec-changed', expression: "request.operation != 'UPDATE' || object.spec != oldObject.spec" },
] as const;

/** Makes the manifest of admissionregistration.k8s.io/v1. */
export function validatingWebhookConfiguration(options: WebhookConfigurationOptions) {
  const { name, address, caBundle, annotations } = options;
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name, ...(annotations === undefined ? {} : { annotations }) },
    webhooks: [
      {
        name: WEBHOOK_NAME,
        admissionReviewVersions: ['v1'],
        clientConfig: {
          ...clientConfig(address),
          ...(caBundle === undefined ? {} : { caBundle: Buffer.from(caBundle).toString('base64') }),
        },
        rules: [
          {
            apiGroups: [GROUP],
            apiVersions: [VERSION],
            operations: ['CREATE', 'UPDATE'],
            resources: ['composabilityrequests'],
            scope: 'Cluster',
          },
        ],
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        sideEffects: 'None',
        timeoutSeconds: 10,
        matchConditions: MATCH_CONDITIONS,
      },
    ],
  } as const;
}

function clientConfig(address: WebhookAddress) {
  if ('url' in address) return { url: new URL(WEBHOOK_PATH, address.url).href };
  return { service: { ...address.service, path: WEBHOOK_PATH } };
}
