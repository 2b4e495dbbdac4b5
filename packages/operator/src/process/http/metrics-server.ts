import type { Registry } from 'prom-client';
import type { ListenAddress } from '../listen-address.ts';
import { listen, type ListenOutcome, type ServerCertificate } from './http-server.ts';

/** What the metrics server needs. */
export interface MetricsServerOptions {
  readonly address: ListenAddress;
  /** HTTPS when given, as `--metrics-secure` asks for; else plain HTTP. */
  readonly certificate?: ServerCertificate | undefined;
  readonly registry: Pick<Registry, 'metrics' | 'contentType'>;
}

/**
 * Serves `/metrics` in Prometheus' text format. It asks nobody who they are: metrics hold no secrets, and who may reach
 * the port is for a NetworkPolicy to say.
 */
export function startMetricsServer({ address, certificate, registry }: MetricsServerOptions): Promise<ListenOutcome> {
  const metrics = async () => ({ status: 200, contentType: registry.contentType, body: await registry.metrics() });
  return listen({ address, certificate, pages: { '/metrics': metrics } });
}
