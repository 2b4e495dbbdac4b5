import { expect, test } from 'vitest';
import { classify } from '../../src/http/classify.ts';

function nodeError(code: string, syscall = '', message = code): Error {
  return Object.assign(new Error(message), { code, syscall });
}

/** As got hands it on. */
function wrapped(cause: Error): Error {
  return Object.assign(new Error('got says', { cause }), { code: 'ERR_GOT_REQUEST_ERROR' });
}

const eproto = (reason: string) =>
  nodeError('EPROTO', 'write', `write EPROTO 40AD:error:0A00010B:SSL routines:fn:${reason}:x.c:77:`);

test.each<[string, Error, string, boolean, string]>([
  ['no such name', nodeError('ENOTFOUND', 'getaddrinfo'), 'dns', false, 'cannot be resolved (ENOTFOUND)'],
  ['no name server', nodeError('EAI_AGAIN', 'getaddrinfo'), 'dns', false, 'cannot be resolved (EAI_AGAIN)'],
  [
    'nobody listens',
    nodeError('ECONNREFUSED', 'connect'),
    'refused',
    false,
    'no connection to https://fm:443 (ECONNREFUSED)',
  ],
  ['no route', nodeError('EHOSTUNREACH', 'connect'), 'refused', false, '(EHOSTUNREACH)'],
  ['a route lost in mid-call', nodeError('EHOSTUNREACH', 'read'), 'broken', true, '(EHOSTUNREACH)'],
  ['a connect that timed out', nodeError('ETIMEDOUT', 'connect'), 'refused', false, '(ETIMEDOUT)'],
  ['a read that timed out', nodeError('ETIMEDOUT', 'read'), 'broken', true, '(ETIMEDOUT)'],
  ['a reset', nodeError('ECONNRESET', 'read'), 'broken', true, 'broke before there was an answer (ECONNRESET)'],
  ['an unknown CA', nodeError('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'tls', false, 'is not trusted'],
  ['a self-signed chain', nodeError('SELF_SIGNED_CERT_IN_CHAIN'), 'tls', false, 'caFile'],
  ['another name', nodeError('ERR_TLS_CERT_ALTNAME_INVALID'), 'tls', false, 'for another name'],
  ['plain HTTP', eproto('wrong version number'), 'tls', false, '(ERR_SSL_WRONG_VERSION_NUMBER)'],
  ['no common version', eproto('tlsv1 alert protocol version'), 'tls', false, 'speaks HTTPS'],
  ['TLS that breaks in mid-call', eproto('decryption failed or bad record mac'), 'tls', true, 'no TLS'],
  [
    'every address refused',
    new AggregateError([nodeError('ECONNREFUSED', 'connect')]),
    'refused',
    false,
    'ECONNREFUSED',
  ],
  ['an error without a code', new Error('odd'), 'broken', true, '(unknown error)'],
])('%s', (_, error, fault, sent, text) => {
  for (const seen of [error, wrapped(error)]) {
    const told = classify(seen, 'https://fm:443');
    expect(told).toMatchObject({ fault, sent });
    if (text !== '(unknown error)') expect(told.message).toContain(text);
  }
});
