// The library's decorators need the polyfill to be there first.
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

/** A certificate and its private key, as PEM text. */
export interface Pair {
  readonly certificate: string;
  readonly key: string;
}

/** Signs the certificates of one control plane. */
export interface Authority {
  readonly certificate: string;
  /** For a server on 127.0.0.1. It is a client's too: etcd's peers and its gateway call the server with it. */
  serving(commonName: string): Promise<Pair>;
  /** For a client; an API server takes the organization as its group. */
  client(commonName: string, organization?: string): Promise<Pair>;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;

/** Makes an authority that signs for thirty days from `now`, in milliseconds since 1970. */
export async function createAuthority(now: number): Promise<Authority> {
  const keys = await newKeys();
  const validity = {
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + 30 * DAY_MS),
    signingAlgorithm: ALGORITHM,
  };
  const self = await X509CertificateGenerator.createSelfSigned(
    {
      ...validity,
      name: [{ CN: ['cro-kube'] }],
      keys,
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      ],
    },
    webcrypto,
  );
  const sign = async (subject: Record<string, string[]>, usages: ExtendedKeyUsage[], isServer: boolean) => {
    const own = await newKeys();
    const { publicKey } = own;
    const signed = await X509CertificateGenerator.create(
      {
        ...validity,
        subject: [subject],
        issuer: self.subject,
        publicKey,
        signingKey: keys.privateKey,
        extensions: [
          new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
          new ExtendedKeyUsageExtension(usages),
          ...(isServer ? [new SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])] : []),
        ],
      },
      webcrypto,
    );
    return { certificate: `${signed.toString('pem')}\n`, key: await pemOf(own.privateKey) };
  };
  const { clientAuth, serverAuth } = ExtendedKeyUsage;
  return {
    certificate: `${self.toString('pem')}\n`,
    serving: (commonName) => sign({ CN: [commonName] }, [serverAuth, clientAuth], true),
    client: (commonName, organization) =>
      sign({ CN: [commonName], ...(organization !== undefined && { O: [organization] }) }, [clientAuth], false),
  };
}

function newKeys() {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  return `${PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`;
}
