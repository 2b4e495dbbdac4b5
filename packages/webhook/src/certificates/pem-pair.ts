import { createPrivateKey, X509Certificate } from 'node:crypto';

/** A certificate (perhaps with its chain) and its private key, as PEM text. */
export interface PemPair {
  readonly certificate: string;
  readonly key: string;
}

/** From when until when a certificate holds, in milliseconds since 1970. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

/** A certificate that was looked at. Times are in milliseconds since 1970. */
export interface Certificate {
  readonly pem: string;
  /** SHA-256 of the certificate: its identity. */
  readonly fingerprint: string;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly x509: X509Certificate;
}

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** The certificates of a PEM bundle, in order; those that cannot be read are left out. */
export function certificatesOf(bundle: string): readonly Certificate[] {
  return (bundle.match(BLOCK) ?? []).flatMap((pem) => {
    const certificate = readCertificate(pem);
    return certificate === undefined ? [] : [certificate];
  });
}

function readCertificate(pem: string): Certificate | undefined {
  try {
    const x509 = new X509Certificate(pem);
    return {
      pem: `${pem}\n`,
      fingerprint: x509.fingerprint256,
      notBefore: x509.validFromDate.getTime(),
      notAfter: x509.validToDate.getTime(),
      x509,
    };
  } catch {
    // Not a certificate is an answer here, not a failure: the caller decides what a missing one means.
    return undefined;
  }
}

/** True when `key` is the private key of `certificate`. */
export function keyFits(certificate: Certificate, key: string): boolean {
  try {
    return certificate.x509.checkPrivateKey(createPrivateKey(key));
  } catch {
    // Not a key at all.
    return false;
  }
}
