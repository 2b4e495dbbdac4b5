import { expect, test } from 'vitest';
import { certificateNames, validatingWebhookConfiguration, WEBHOOK_PATH } from '../src/index.ts';

// What the Go operator registers, and conditions under which nobody needs to ask.
test('the manifest asks about creations and changes of the spec, and about nothing else', () => {
  const service = { namespace: 'system', name: 'webhook' };
  const manifest = validatingWebhookConfiguration({ name: 'cro', address: { service }, caBundle: 'PEM' });
  expect(manifest.webhooks).toEqual([
    {
      name: 'vcomposabilityrequest.kb.io',
      admissionReviewVersions: ['v1'],
      clientConfig: { service: { ...service, path: WEBHOOK_PATH }, caBundle: 'UEVN' },
      rules: [
        {
          apiGroups: ['cro.hpsys.ibm.ie.com'],
          apiVersions: ['v1alpha1'],
          operations: ['CREATE', 'UPDATE'],
          resources: ['composabilityrequests'],
          scope: 'Cluster',
        },
      ],
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      sideEffects: 'None',
      timeoutSeconds: 10,
      matchConditions: [
        { name: 'not-being-deleted', expression: '!has(object.metadata.deletionTimestamp)' },
        { name: 'spec-changed', expression: "request.operation != 'UPDATE' || object.spec != oldObject.spec" },
      ],
    },
  ]);
});

test('outside of the cluster it is found by URL; annotations are for others that inject', () => {
  const annotations = { 'cert-manager.io/inject-ca-from': 'system/webhook' };
  const manifest = validatingWebhookConfiguration({
    name: 'cro',
    address: { url: 'https://[fd00::1]:9443' },
    annotations,
  });
  expect(manifest.metadata).toEqual({ name: 'cro', annotations });
  expect(manifest.webhooks[0].clientConfig).toEqual({ url: `https://[fd00::1]:9443${WEBHOOK_PATH}` });
});

test('certificates are for the names that API servers call', () => {
  expect(certificateNames({ service: { namespace: 'system', name: 'webhook' } })).toEqual([
    'webhook.system.svc',
    'webhook.system.svc.cluster.local',
  ]);
  expect(certificateNames({ url: 'https://host.example:9443' })).toEqual(['host.example']);
  expect(certificateNames({ url: 'https://[fd00::1]:9443' })).toEqual(['fd00::1']);
});
