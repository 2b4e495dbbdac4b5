import type { Clock } from '@cro/clock';
import { silentLog, type Log, type RuntimeMetrics } from '@cro/kube-runtime';
import { ManagedSource, type ManagedCertificates, type SourceOptions } from './certificates/managed.ts';
import { certificateNameProblem } from './certificates/names.ts';
import { MountedSource } from './certificates/mounted.ts';
import type { CertificateSource } from './certificates/source.ts';
import { admissionHandler } from './review/handle.ts';
import type { RuledRequest } from './rules.ts';
import { AdmissionServer } from './server.ts';

/** The port that the Go operator's webhook listens on. */
export const DEFAULT_PORT = 9443;

/** Where the serving certificate comes from. */
export type Certificates =
  /** Made, kept in a Secret, rotated and injected by the webhook. */
  | ({ readonly tag: 'managed' } & ManagedCertificates)
  /** Provided in a directory as `tls.crt` and `tls.key`, for example by cert-manager; nothing is injected. */
  | { readonly tag: 'mounted'; readonly directory: string };

/** What the webhook is started with. */
export interface WebhookOptions {
  readonly clock: Clock;
  /** A number in [0, 1), for jitter. Keys come from the platform's own generator. */
  readonly random: () => number;
  readonly log?: Log;
  readonly metrics?: RuntimeMetrics;
  /** Address to listen on; all of them by default. */
  readonly host?: string;
  /** Default 9443; 0 is any free port. */
  readonly port?: number;
  /** Every ComposabilityRequest there is, from the caller's cache. Report ready only once that is synced. */
  readonly listRequests: () => readonly RuledRequest[];
  readonly certificates: Certificates;
}

/** A running webhook. */
export interface Webhook {
  readonly port: number;
  /** True when API servers can trust what is served. */
  ready(): boolean;
  /** Why it is not ready, for a person. */
  problem(): string | undefined;
  /** Ends the watches, answers what was asked, closes. */
  close(): Promise<void>;
}

/**
 * Starts the admission server. Rejects when it cannot listen, or when no certificate could have the names; everything
 * else is repaired while it runs.
 */
export async function startWebhook(options: WebhookOptions): Promise<Webhook> {
  const { clock, random, metrics, host, port = DEFAULT_PORT, listRequests, log = silentLog } = options;
  const wrongNames =
    options.certificates.tag === 'managed' ? certificateNameProblem(options.certificates.names) : undefined;
  if (wrongNames !== undefined) throw new Error(wrongNames);
  const handle = admissionHandler(listRequests);
  const server = await AdmissionServer.listen({ port, handle, clock, log, ...(host !== undefined && { host }) });
  const stop = new AbortController();
  const source = startSource(options.certificates, {
    ...{ clock, random, log, signal: stop.signal, ...(metrics && { metrics }) },
    serve: (pair) => {
      server.use(pair);
    },
  });
  return {
    port: server.port,
    ready: () => source.problem() === undefined,
    problem: () => source.problem(),
    async close() {
      stop.abort(new Error('the webhook closes'));
      await Promise.all([server.close(), source.stopped]);
    },
  };
}

function startSource(certificates: Certificates, options: SourceOptions): CertificateSource {
  switch (certificates.tag) {
    case 'managed':
      return new ManagedSource(certificates, options);
    case 'mounted':
      return new MountedSource(certificates.directory, options);
    default:
      return certificates satisfies never;
  }
}
