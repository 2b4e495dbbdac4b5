import { DEPLOYED } from '@cro/operator';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

function manifest(file: string): unknown {
  return parse(readFileSync(new URL(`../../../deploy/node-agent/${file}`, import.meta.url), 'utf8'));
}

const daemonSet = manifest('daemon-set.yaml') as {
  metadata: object;
  spec: { selector: object; template: { metadata: object; spec: { containers: readonly object[] } } };
};
const { spec: pod } = daemonSet.spec.template;

test('the node agent is where both operators look for it', () => {
  const labels = { app: 'cro-node-agent' };
  const { namespace } = DEPLOYED;
  expect(daemonSet.metadata).toEqual({ name: 'cro-node-agent', namespace, labels });
  expect(daemonSet.spec.selector).toEqual({ matchLabels: labels });
  expect(daemonSet.spec.template.metadata).toEqual({ labels });
  expect(pod.containers).toMatchObject([
    { name: 'cro-node-agent', volumeMounts: [{ name: 'host-root', mountPath: '/host-root' }] },
  ]);
  expect(pod).toMatchObject({
    tolerations: [{ operator: 'Exists' }],
    volumes: [{ name: 'host-root', hostPath: { path: '/' } }],
  });
});

test('the node agent has no more than its commands need', () => {
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    serviceAccountName: 'cro-node-agent',
    hostPID: true,
  });
  for (const absent of ['hostNetwork', 'hostIPC', 'initContainers']) expect(pod).not.toHaveProperty(absent);
  expect(pod.containers).toMatchObject([
    { securityContext: { readOnlyRootFilesystem: true }, volumeMounts: [{ readOnly: true }] },
  ]);
  expect(manifest('service-account.yaml')).toMatchObject({
    metadata: { name: 'cro-node-agent', namespace: DEPLOYED.namespace },
    automountServiceAccountToken: false,
  });
});

test('its kustomization names its files', () => {
  expect(manifest('kustomization.yaml')).toMatchObject({ resources: ['service-account.yaml', 'daemon-set.yaml'] });
});
