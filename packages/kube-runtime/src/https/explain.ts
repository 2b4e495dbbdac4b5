/** OpenSSL's and Node's codes for a certificate that is not accepted. */
const UNTRUSTED = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_SIGNATURE_FAILURE',
  'CERT_NOT_YET_VALID',
  'CERT_HAS_EXPIRED',
  'CERT_REJECTED',
  'CERT_UNTRUSTED',
  'INVALID_CA',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** Says what an error of the connection means, and what to do about it. */
export function explain(error: Error, server: URL): Error {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  // Several addresses of one host were tried: Node then gives an error without a message of its own.
  const detail = error.message === '' && code !== undefined ? code : error.message;
  if (code === undefined || !UNTRUSTED.has(code)) return new Error(`${server.origin}: ${detail}`, { cause: error });
  return new Error(
    `${server.origin}: the server's certificate is not trusted: ${detail} (${code}); ` +
      'the CA in the kubeconfig (certificate-authority) has to be the one that issued it',
    { cause: error },
  );
}
