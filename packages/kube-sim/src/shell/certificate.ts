import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { webcrypto } from 'node:crypto';

/** What a server needs to speak TLS, in PEM. */
export interface ServerCertificate {
  /** The authority that clients trust. */
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

/** Makes an authority and a certificate for 127.0.0.1 and the DNS `names`, valid for ten years from `now`. */
export async function createCertificate(now: number, names: readonly string[]): Promise<ServerCertificate> {
  const [authority, server] = await Promise.all([newKeys(), newKeys()]);
  const validity = {
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + 3650 * DAY_MS),
    signingAlgorithm: ALGORITHM,
  };
  const ca = await X509CertificateGenerator.createSelfSigned(
    {
      ...validity,
      serialNumber: '01',
      name: 'CN=kube-sim-ca',
      keys: authority,
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      ],
    },
    webcrypto,
  );
  const certificate = await X509CertificateGenerator.create(
    {
      ...validity,
      serialNumber: '02',
      subject: 'CN=kube-sim',
      issuer: ca.subject,
      publicKey: server.publicKey,
      signingKey: authority.privateKey,
      extensions: [
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        new SubjectAlternativeNameExtension([
          { type: 'ip', value: '127.0.0.1' },
          ...names.map((value) => ({ type: 'dns', value }) as const),
        ]),
      ],
    },
    webcrypto,
  );
  const key = PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', server.privateKey), 'PRIVATE KEY');
  return { ca: ca.toString('pem'), certificate: certificate.toString('pem'), key };
}

function newKeys() {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}
