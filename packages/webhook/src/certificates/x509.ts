// The library's decorators need the polyfill to be there first.
import 'reflect-metadata';
import type { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { PemPair, Validity } from './pem-pair.ts';

const { subtle } = globalThis.crypto;

const KEYS = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' };

/** Makes a certificate authority that signs itself. `name` becomes its common name; two authorities need two names. */
export async function mintAuthority(name: string, { notBefore, notAfter }: Validity): Promise<PemPair> {
  const keys = await subtle.generateKey(KEYS, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [name] }],
    keys,
    signingAlgorithm: SIGNING,
    notBefore: new Date(notBefore),
    notAfter: new Date(notAfter),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return pemPair(certificate, keys.privateKey);
}

/** Makes a serving certificate for `names` (DNS names and IP addresses), signed by `authority`. */
export async function mintServing(
  names: readonly string[],
  authority: PemPair,
  { notBefore, notAfter }: Validity,
): Promise<PemPair> {
  const keys = await subtle.generateKey(KEYS, true, ['sign', 'verify']);
  const issuer = new X509Certificate(authority.certificate);
  const signingKey = await subtle.importKey('pkcs8', PemConverter.decodeFirst(authority.key), KEYS, false, ['sign']);
  const certificate = await X509CertificateGenerator.create({
    // Empty on purpose: a common name holds 64 characters, and nobody reads it where there are alternative names.
    subject: [],
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: SIGNING,
    notBefore: new Date(notBefore),
    notAfter: new Date(notAfter),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(names.map(alternativeName), true),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return pemPair(certificate, keys.privateKey);
}

async function pemPair(certificate: X509Certificate, privateKey: webcrypto.CryptoKey): Promise<PemPair> {
  const key = PemConverter.encode(await subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY');
  return { certificate: `${certificate.toString('pem')}\n`, key: `${key}\n` };
}

/** The library encodes an IPv6 address rightly in its shortest form only, which is what a URL makes of it. */
function alternativeName(name: string): { readonly type: 'dns' | 'ip'; readonly value: string } {
  if (isIP(name) === 0) return { type: 'dns', value: name };
  return { type: 'ip', value: isIP(name) === 6 ? new URL(`https://[${name}]`).hostname.slice(1, -1) : name };
}
