import { describe, expect, test } from 'vitest';
import { admissionHandler, WEBHOOK_PATH, type HttpAnswer } from '../src/index.ts';
import { ask, request, reviewBody } from './support/requests.ts';

const uid = '705ab4f5-6393-11e8-b7cc-42010a800002';
const rival = request('rival', { target_node: 'worker-0' });
const handle = admissionHandler(() => [rival]);

/** A request as it is when it reaches the webhook on creation: no resourceVersion yet. */
const wrong = {
  apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1',
  kind: 'ComposabilityRequest',
  ...request('new', { target_node: 'worker-0' }),
  metadata: { name: 'new', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' },
};
const good = { ...wrong, spec: request('new', { target_node: 'worker-1' }).spec };

function response(answer: HttpAnswer): unknown {
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json');
  const review = JSON.parse(answer.body) as Record<string, unknown>;
  expect(review).toMatchObject({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' });
  return review['response'];
}

describe('a question is answered under its uid', () => {
  test('allowed', () => {
    expect(response(ask(handle, reviewBody('CREATE', good)))).toEqual({ uid, allowed: true });
  });

  test('denied, with the reason that the user reads', () => {
    expect(response(ask(handle, reviewBody('CREATE', wrong)))).toEqual({
      uid,
      allowed: false,
      status: {
        code: 403,
        reason: 'Forbidden',
        message: 'composabilityRequest resource rival with type gpu and model NVIDIA-A100-PCIE-80GB already exists',
      },
    });
  });

  test('an update that breaks a rule is denied', () => {
    expect(response(ask(handle, reviewBody('UPDATE', wrong, good)))).toMatchObject({ uid, allowed: false });
  });

  test('an object that does not fit the schema is denied, with the field', () => {
    const object = { ...good, spec: { resource: { ...good.spec.resource, size: -1 } } };
    expect(response(ask(handle, reviewBody('CREATE', object)))).toEqual({
      uid,
      allowed: false,
      status: { code: 422, reason: 'Invalid', message: 'spec.resource.size: found -1, accepted: integer >= 0' },
    });
    expect(response(ask(handle, reviewBody('CREATE', undefined)))).toMatchObject({
      allowed: false,
      status: { message: 'object: the object: found null, accepted: object' },
    });
  });
});

describe('a deletion is never held up', () => {
  const deleting = { ...wrong, metadata: { ...wrong.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };

  test.each([
    ['the object is being deleted', 'UPDATE', deleting, good],
    ['being deleted, and broken', 'UPDATE', { ...deleting, spec: {} }, good],
    ['the spec stays: a finalizer goes', 'UPDATE', { ...wrong, metadata: { name: 'new' } }, wrong],
    ['the spec stays, and is broken', 'UPDATE', { ...wrong, spec: {} }, { ...wrong, spec: {} }],
    ['keys in another order', 'UPDATE', { ...wrong, spec: { resource: reversed(wrong.spec.resource) } }, wrong],
    ['a delete', 'DELETE', undefined, wrong],
    ['a connect', 'CONNECT', undefined, undefined],
  ])('%s', (_name, operation, object, oldObject) => {
    expect(response(ask(handle, reviewBody(operation, object, oldObject)))).toEqual({ uid, allowed: true });
  });

  test('the rules are not even asked', () => {
    const unaskable = admissionHandler(() => {
      throw new Error('the cache was read');
    });
    expect(response(ask(unaskable, reviewBody('UPDATE', deleting, good)))).toEqual({ uid, allowed: true });
  });
});

function reversed(object: object): object {
  return Object.fromEntries(Object.entries(object).toReversed());
}

describe('what is no question is refused in plain words', () => {
  test.each([
    ['{', 'malformed AdmissionReview: the body is not JSON'],
    ['', 'malformed AdmissionReview: the body is not JSON'],
    ['[]', 'malformed AdmissionReview: the object: found [], accepted: object'],
    [
      '{"kind":"AdmissionReview"}',
      'malformed AdmissionReview: apiVersion: found nothing, accepted: "admission.k8s.io/v1"',
    ],
    [
      { ...reviewBody('CREATE', good), apiVersion: 'admission.k8s.io/v1beta1' },
      'malformed AdmissionReview: apiVersion: found "admission.k8s.io/v1beta1", accepted: "admission.k8s.io/v1"',
    ],
    [{ ...reviewBody('CREATE', good), request: undefined }, 'malformed AdmissionReview: request: found nothing'],
    [reviewBody('PATCH', good), 'malformed AdmissionReview: request.operation: found "PATCH", accepted: "CREATE"'],
  ])('400: case %#', (body, message) => {
    const answer = ask(handle, body);
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toContain('text/plain');
    expect(answer.body).toContain(message);
  });

  test('another kind', () => {
    const pod = { ...reviewBody('CREATE', good) };
    const body = JSON.stringify(pod).replace('"kind":"ComposabilityRequest"', '"kind":"Pod"');
    expect(ask(handle, body)).toMatchObject({
      status: 400,
      body: 'malformed AdmissionReview: request.kind.kind: found "Pod", accepted: "ComposabilityRequest"\n',
    });
  });

  const post = { method: 'POST', path: WEBHOOK_PATH, headers: { 'content-type': 'application/json' }, body: '{}' };

  test.each([
    [{ ...post, path: '/mutate' }, 404, WEBHOOK_PATH],
    [{ ...post, method: 'GET' }, 405, 'found GET, accepted: POST'],
    [{ ...post, headers: {} }, 415, 'content-type: found "", accepted: application/json'],
    [{ ...post, headers: { 'content-type': 'text/plain' } }, 415, 'found "text/plain", accepted: application/json'],
  ])('other requests: case %#', (wrongRequest, status, message) => {
    const answer = handle(wrongRequest);
    expect(answer.status).toBe(status);
    expect(answer.body).toContain(message);
  });

  test('405 says which method is allowed', () => {
    expect(handle({ ...post, method: 'GET' }).headers['allow']).toBe('POST');
  });
});
