import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerCertificate } from './http/http-server.ts';
import { problemOf } from './problem-of.ts';

/** A certificate with its key, or what is wrong with the files, in a line. */
export type CertificateOutcome =
  | { readonly tag: 'ok'; readonly certificate: ServerCertificate }
  | { readonly tag: 'invalid'; readonly problem: string };

/** Reads `tls.crt` and `tls.key` of a directory, as a mounted Secret of type kubernetes.io/tls has them. */
export function readCertificate(directory: string, flag: string): CertificateOutcome {
  try {
    const cert = readFileSync(join(directory, 'tls.crt'), 'utf8');
    const key = readFileSync(join(directory, 'tls.key'), 'utf8');
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
      return { tag: 'invalid', problem: `${flag} '${directory}': tls.key is not the key of tls.crt` };
    }
    return { tag: 'ok', certificate: { cert, key } };
  } catch (error) {
    return { tag: 'invalid', problem: `${flag} '${directory}': ${problemOf(error)}` };
  }
}
