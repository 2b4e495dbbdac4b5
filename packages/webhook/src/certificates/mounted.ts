import { watch, type FSWatcher } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceOptions } from './managed.ts';
import { certificatesOf, keyFits, type Certificate, type PemPair } from './pem-pair.ts';
import type { CertificateSource } from './source.ts';

/** A mount that gives no events (a network file system) is looked at this often. */
const LOOK_AGAIN_MS = 60_000;

/** Serves the certificate of a mounted directory (`tls.crt`, `tls.key`), as cert-manager provides it, and its renewals. */
export class MountedSource implements CertificateSource {
  readonly stopped: Promise<void>;
  readonly #directory: string;
  readonly #options: SourceOptions;
  #served: Certificate | undefined;
  /** What is wrong with the files now; what is served may still be good. */
  #fault: string | undefined = 'the certificate has not been read yet';
  #reading: Promise<void> = Promise.resolve();

  constructor(directory: string, options: SourceOptions) {
    this.#directory = directory;
    this.#options = options;
    this.stopped = new Promise((resolve) => {
      const stop = () => {
        void this.#reading.then(resolve);
      };
      if (options.signal.aborted) stop();
      else options.signal.addEventListener('abort', stop, { once: true });
    });
    this.#watchDirectory();
    this.#lookAgain();
  }

  problem(): string | undefined {
    if (this.#served === undefined) return this.#fault;
    return this.#options.clock.now() < this.#served.notAfter ? undefined : 'the mounted certificate has expired';
  }

  #watchDirectory(): void {
    const { signal, log } = this.#options;
    const failed = (error: unknown) => {
      log.warn('webhook certificate directory gives no events; it is read once a minute', {
        directory: this.#directory,
        message: error instanceof Error ? error.message : String(error),
      });
    };
    try {
      const watcher: FSWatcher = watch(this.#directory, { signal, persistent: false }, () => {
        this.#read();
      });
      watcher.on('error', failed);
    } catch (error) {
      failed(error);
    }
  }

  #lookAgain(): void {
    const { clock, signal } = this.#options;
    if (signal.aborted) return;
    this.#read();
    const cancel = clock.after(LOOK_AGAIN_MS, () => {
      signal.removeEventListener('abort', cancel);
      this.#lookAgain();
    });
    signal.addEventListener('abort', cancel, { once: true });
  }

  /** One read after the other: the last event is always followed by a read. */
  #read(): void {
    this.#reading = this.#reading.then(async () => {
      const outcome = await readPair(this.#directory);
      if (this.#options.signal.aborted) return;
      if ('fault' in outcome) this.#report(outcome.fault);
      else this.#serve(outcome.pair, outcome.certificate);
    });
  }

  #report(fault: string): void {
    if (fault === this.#fault) return;
    this.#fault = fault;
    this.#options.log.error('webhook certificate cannot be used', { message: fault });
  }

  #serve(pair: PemPair, certificate: Certificate): void {
    this.#fault = undefined;
    if (certificate.fingerprint === this.#served?.fingerprint) return;
    this.#options.serve(pair);
    this.#served = certificate;
    this.#options.log.info('webhook serves a mounted certificate', {
      notAfter: new Date(certificate.notAfter).toISOString(),
    });
  }
}

type PairOutcome = { readonly pair: PemPair; readonly certificate: Certificate } | { readonly fault: string };

async function readPair(directory: string): Promise<PairOutcome> {
  const path = (name: string) => join(directory, name);
  try {
    const [certificate, key] = await Promise.all([
      readFile(path('tls.crt'), 'utf8'),
      readFile(path('tls.key'), 'utf8'),
    ]);
    const [first] = certificatesOf(certificate);
    if (first === undefined) return { fault: `${path('tls.crt')}: found no certificate, accepted: PEM` };
    if (!keyFits(first, key)) return { fault: `${path('tls.key')}: is not the private key of ${path('tls.crt')}` };
    return { pair: { certificate, key }, certificate: first };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
