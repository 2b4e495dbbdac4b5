// The library's decorators need the polyfill to be there first.
import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { Clock } from '@cro/clock';
import type { ServerCertificate } from './http/http-server.ts';

const KEYS = { name: 'ECDSA', namedCurve: 'P-256' };
const DAY_MS = 86_400_000;

/**
 * A certificate that nobody has signed, good for a year, for a metrics server that was given none: it hides what is read
 * from those who only listen, and proves nothing to those who ask. The same as the Go operator does.
 */
export async function selfSigned(hostName: string, clock: Clock): Promise<ServerCertificate> {
  const { subtle } = globalThis.crypto;
  const keys = await subtle.generateKey(KEYS, true, ['sign', 'verify']);
  const now = clock.now();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: ['metrics'] }],
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + 365 * DAY_MS),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([{ type: 'dns', value: hostName }]),
    ],
  });
  const key = PemConverter.encode(await subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
  return { cert: certificate.toString('pem'), key };
}
