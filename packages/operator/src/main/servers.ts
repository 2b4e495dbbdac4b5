import type { Clock } from '@cro/clock';
import { mintAuthority, mintServing } from '@cro/webhook';
import type { RuntimeMetrics } from '@cro/kube-runtime';
import {
  readCertificate,
  startMetricsServer,
  startProbes,
  type Check,
  type Flags,
  type ListeningServer,
  type ServerCertificate,
} from '../process/index.ts';

/** Servers that listen, or one line for the first that could not. */
export type Servers =
  | { readonly tag: 'listening'; readonly close: () => Promise<void> }
  | { readonly tag: 'failed'; readonly problem: string };

/** Starts the probes and the metrics server, as the flags say. */
export async function startServers(
  flags: Flags,
  checks: { readonly live: readonly Check[]; readonly ready: readonly Check[] },
  { clock, metrics }: { readonly clock: Clock; readonly metrics: RuntimeMetrics },
): Promise<Servers> {
  const running: ListeningServer[] = [];
  const close = async () => {
    await Promise.all(running.map((server) => server.close()));
  };
  const certificate =
    flags.metrics !== undefined && flags.metricsSecure ? await metricsCertificate(flags, clock) : undefined;
  if (typeof certificate === 'string') return { tag: 'failed', problem: certificate };
  const starting = [
    flags.probes && startProbes({ address: flags.probes, ...checks }),
    flags.metrics && startMetricsServer({ address: flags.metrics, certificate, registry: metrics.registry }),
  ];
  for (const one of starting) {
    const outcome = await one;
    if (outcome?.tag === 'listening') running.push(outcome.server);
    if (outcome?.tag === 'failed') {
      await close();
      return { tag: 'failed', problem: outcome.message };
    }
  }
  return { tag: 'listening', close };
}

const YEAR_MS = 365 * 24 * 3_600_000;

async function metricsCertificate({ metricsCertPath }: Flags, clock: Clock): Promise<ServerCertificate | string> {
  if (metricsCertPath === undefined) {
    const validity = { notBefore: clock.now() - 60_000, notAfter: clock.now() + YEAR_MS };
    const { certificate, key } = await mintServing(
      ['localhost', '127.0.0.1'],
      await mintAuthority('cro-metrics', validity),
      validity,
    );
    return { cert: certificate, key };
  }
  const read = readCertificate(metricsCertPath, '--metrics-cert-path');
  return read.tag === 'ok' ? read.certificate : read.problem;
}
