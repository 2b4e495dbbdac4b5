import { SendError } from './send-error.ts';

/** Codes of OpenSSL and Node for trouble with TLS. */
const TLS = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO$)/;
/** Those of them that can only come after the handshake's start and before the first byte of a request. */
const HANDSHAKE =
  /^(?:ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNSUPPORTED_PROTOCOL|TLSV1_ALERT_PROTOCOL_VERSION|(?:SSL|TLS)V\d_ALERT_HANDSHAKE_FAILURE)$)/;
const DNS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME']);
const CONNECT = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ETIMEDOUT', 'EADDRNOTAVAIL']);

/** Turns what Node says into a fault, and into a sentence that says what to do. `origin` is `https://host:port`. */
export function classify(error: unknown, origin: string): SendError {
  const { code, syscall } = detailsOf(error);
  if (TLS.test(code)) return new SendError('tls', !HANDSHAKE.test(code), tlsMessage(code, origin), error);
  if (DNS.has(code)) {
    const message = `the name in ${origin} cannot be resolved (${code}): check the endpoint's host name and the cluster's DNS`;
    return new SendError('dns', false, message, error);
  }
  if (CONNECT.has(code) && (syscall === 'connect' || code === 'ECONNREFUSED')) {
    const message = `no connection to ${origin} (${code}): check the endpoint's host and port, and that nothing between blocks it`;
    return new SendError('refused', false, message, error);
  }
  return new SendError('broken', true, `the connection to ${origin} broke before there was an answer (${code})`, error);
}

function tlsMessage(code: string, origin: string): string {
  if (/ALTNAME|HOSTNAME/.test(code)) {
    return `the certificate of ${origin} is for another name (${code}): use a name that it carries as the endpoint`;
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return `the certificate of ${origin} is not valid now (${code}): renew it, or set the clocks right`;
  }
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') {
    return `no TLS with ${origin} (${code}): check that the port of the endpoint speaks HTTPS`;
  }
  return `the certificate of ${origin} is not trusted (${code}): name its CA by the caFile setting, SSL_CERT_FILE or NODE_EXTRA_CA_CERTS`;
}

interface Details {
  readonly code: string;
  readonly syscall: string;
}

/** The innermost error that has a code: got wraps Node's, and Node wraps one for each address it tried. */
function detailsOf(error: unknown): Details {
  let found: Details = { code: 'unknown error', syscall: '' };
  for (let next: unknown = error, depth = 0; next instanceof Error && depth < 8; depth += 1) {
    const code = codeOf(next);
    // got's own codes (ERR_BODY_PARSE_FAILURE, ERR_GOT_REQUEST_ERROR) say less than the cause.
    if (code !== '') found = { code, syscall: textOf(next, 'syscall') || found.syscall };
    next = next instanceof AggregateError ? next.errors[0] : next.cause;
  }
  return found;
}

/** The error's code. Node says EPROTO and leaves OpenSSL's reason in the message, next to an address that differs each time. */
function codeOf(error: Error): string {
  const code = textOf(error, 'code');
  const reason = code === 'EPROTO' ? /:SSL routines:[^:]*:([a-z0-9 ]+):/i.exec(error.message)?.[1] : undefined;
  return reason === undefined ? code : `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`;
}

function textOf(error: Error, key: string): string {
  const value: unknown = Reflect.get(error, key);
  return typeof value === 'string' ? value : '';
}
