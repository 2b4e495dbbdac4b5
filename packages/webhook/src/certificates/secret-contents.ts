import { isIP } from 'node:net';
import { certificatesOf, keyFits, type Certificate, type PemPair } from './pem-pair.ts';
import type { SecretFacts } from './rotation.ts';

/** What the Secret holds when it can be used. */
export interface CertificateStore {
  /** Newest first; the newest signs. */
  readonly newest: Certificate;
  readonly older: readonly Certificate[];
  /** Private key of the newest authority. */
  readonly authorityKey: string;
  readonly serving: PemPair;
  readonly servingCertificate: Certificate;
  /** The authority that signed the serving certificate; one of the above. */
  readonly issuer: Certificate;
}

/** The parsed Secret, or why it cannot be used (without anything secret in the text). */
export type StoreOutcome =
  | { readonly tag: 'present'; readonly store: CertificateStore }
  | { readonly tag: 'malformed'; readonly problem: string };

/** Base64 texts by key, as `data` of a Secret holds them. */
export type SecretData = Readonly<Record<string, string>>;

/** Reads the Secret: `ca.crt` (bundle, newest first), `ca.key` (of the newest), `tls.crt`, `tls.key`. */
export function readStore(data: SecretData): StoreOutcome {
  const text = (key: string) => Buffer.from(data[key] ?? '', 'base64').toString('utf8');
  const [newest, ...older] = certificatesOf(text('ca.crt'));
  if (newest === undefined) return malformed('ca.crt: found no certificate');
  const authorityKey = text('ca.key');
  if (!keyFits(newest, authorityKey))
    return malformed('ca.key: is not the private key of the first certificate of ca.crt');
  const serving = { certificate: text('tls.crt'), key: text('tls.key') };
  const [servingCertificate] = certificatesOf(serving.certificate);
  if (servingCertificate === undefined) return malformed('tls.crt: found no certificate');
  if (!keyFits(servingCertificate, serving.key)) return malformed('tls.key: is not the private key of tls.crt');
  const issuer = [newest, ...older].find(({ x509 }) => servingCertificate.x509.verify(x509.publicKey));
  if (issuer === undefined) return malformed('tls.crt: is not signed by any certificate of ca.crt');
  return { tag: 'present', store: { newest, older, authorityKey, serving, servingCertificate, issuer } };
}

/** The inverse of `readStore`. `authorities`: newest first. */
export function storeData(authorities: readonly string[], authorityKey: string, serving: PemPair): SecretData {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return {
    'ca.crt': base64(authorities.join('')),
    'ca.key': base64(authorityKey),
    'tls.crt': base64(serving.certificate),
    'tls.key': base64(serving.key),
  };
}

/** The facts that the rotation decides on. `names`: what the certificate must be good for. */
export function factsOf(
  { newest, older, servingCertificate, issuer }: CertificateStore,
  names: readonly string[],
): SecretFacts {
  const { notBefore, notAfter, x509 } = servingCertificate;
  const covers = (name: string) => (isIP(name) === 0 ? x509.checkHost(name) : x509.checkIP(name)) !== undefined;
  return {
    tag: 'present',
    newest,
    older,
    serving: { issuer: issuer.fingerprint, notBefore, notAfter, coversNames: names.every(covers) },
  };
}

function malformed(problem: string): StoreOutcome {
  return { tag: 'malformed', problem };
}
