export { certificateAccess } from './certificates/access.ts';
export { mintAuthority, mintServing } from './certificates/mint.ts';
export type { PemPair, Validity } from './certificates/pem-pair.ts';
export { certificateNames } from './certificates/names.ts';
export type { ManagedCertificates } from './certificates/managed.ts';
export { DEFAULT_POLICY, type RotationPolicy } from './certificates/policy.ts';
export {
  decideRotation,
  switchAfter,
  type AuthorityFacts,
  type ConfigurationFacts,
  type RotationAction,
  type RotationState,
  type ServedFacts,
  type SecretFacts,
  type ServingFacts,
  type TrustedFacts,
} from './certificates/rotation.ts';
export {
  admissionHandler,
  WEBHOOK_PATH,
  type AdmissionHandler,
  type HttpAnswer,
  type HttpRequest,
} from './review/handle.ts';
export { judge, type RuledRequest, type Verdict } from './rules.ts';
export { DEFAULT_PORT, startWebhook, type Certificates, type Webhook, type WebhookOptions } from './start.ts';
export {
  validatingWebhookConfiguration,
  WEBHOOK_NAME,
  type WebhookAddress,
  type WebhookConfigurationOptions,
} from './webhook-configuration.ts';
