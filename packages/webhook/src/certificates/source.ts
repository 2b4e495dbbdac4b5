import type { PemPair } from './pem-pair.ts';

/** Where the serving certificate comes from. */
export interface CertificateSource {
  /** Why API servers cannot trust what is served, for a person; `undefined` when they can. */
  problem(): string | undefined;
  /** Resolves when the source has come to rest after its signal aborted. */
  readonly stopped: Promise<void>;
}

/** Takes a certificate into use: new connections get it. */
export type ServeCertificate = (pair: PemPair) => void;
