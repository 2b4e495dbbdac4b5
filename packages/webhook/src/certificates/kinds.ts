import { decoderOf } from '@cro/crd-types';
import type { Kind } from '@cro/kube-runtime';
import { Type, type Static } from 'typebox';

const Meta = Type.Object({
  name: Type.String(),
  namespace: Type.Optional(Type.String()),
  uid: Type.String(),
  resourceVersion: Type.String(),
});

const SecretObject = Type.Object({
  apiVersion: Type.Literal('v1'),
  kind: Type.Literal('Secret'),
  metadata: Meta,
  data: Type.Optional(Type.Record(Type.String(), Type.String())),
});
/** A Secret: its values are base64. */
export type SecretObject = Static<typeof SecretObject>;

/** Secrets of the core group. */
export const secretKind: Kind<SecretObject> = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
  decode: decoderOf(SecretObject),
};

const ConfigurationObject = Type.Object({
  apiVersion: Type.Literal('admissionregistration.k8s.io/v1'),
  kind: Type.Literal('ValidatingWebhookConfiguration'),
  metadata: Meta,
  webhooks: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        clientConfig: Type.Object({ caBundle: Type.Optional(Type.String()) }),
      }),
    ),
  ),
});
/** The parts of a ValidatingWebhookConfiguration that matter for trust. */
export type ConfigurationObject = Static<typeof ConfigurationObject>;

/** ValidatingWebhookConfigurations. */
export const configurationKind: Kind<ConfigurationObject> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
  decode: decoderOf(ConfigurationObject),
};
