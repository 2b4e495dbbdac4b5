import { expect, test } from 'vitest';
import { parseAuditLine } from '../src/index.ts';

test('a line of an audit log', () => {
  const line = JSON.stringify({
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    stage: 'ResponseComplete',
    requestURI: '/apis/g/v1/things/a/status?fieldValidation=Strict',
    verb: 'patch',
    user: {
      username: 'cro-kube-admin',
      groups: ['system:masters'],
      extra: { 'authentication.kubernetes.io/credential-id': ['JTI=1'] },
    },
    userAgent: 'composable-resource-operator',
    objectRef: { resource: 'things', name: 'a', apiGroup: 'g', apiVersion: 'v1', subresource: 'status' },
    responseStatus: { metadata: {}, status: 'Failure', message: 'no', reason: 'Invalid', code: 422 },
  });
  expect(parseAuditLine(line)).toEqual({
    verb: 'patch',
    requestURI: '/apis/g/v1/things/a/status?fieldValidation=Strict',
    userAgent: 'composable-resource-operator',
    user: 'cro-kube-admin',
    credential: 'JTI=1',
    code: 422,
    group: 'g',
    resource: 'things/status',
    namespace: '',
    name: 'a',
    message: 'no',
  });
});

test('a request for no resource', () => {
  const line = JSON.stringify({ requestURI: '/readyz', verb: 'get', user: {}, responseStatus: { code: 200 } });
  expect(parseAuditLine(line)).toMatchObject({
    requestURI: '/readyz',
    code: 200,
    credential: '',
    group: '',
    resource: '',
  });
});

test('whom it was asked for', () => {
  const impersonatedUser = { username: 'system:serviceaccount:ns:a' };
  const line = JSON.stringify({ user: { username: 'cro-kube-admin' }, impersonatedUser });
  expect(parseAuditLine(line)).toMatchObject({ user: 'system:serviceaccount:ns:a' });
});
