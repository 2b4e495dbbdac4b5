import type { ListenAddress } from '../listen-address.ts';
import type { LeaseTimes } from './lease-times.ts';

/** Everything that the command line decides. */
export interface Flags {
  readonly lease: LeaseTimes;
  /** `undefined`: no metrics server. */
  readonly metrics: ListenAddress | undefined;
  /** Metrics over HTTPS. */
  readonly metricsSecure: boolean;
  /** Directory with tls.crt and tls.key for the metrics server; else it makes a certificate of its own. */
  readonly metricsCertPath?: string;
  /** `undefined`: no probes. */
  readonly probes: ListenAddress | undefined;
  readonly webhook: ListenAddress;
  /** Directory with tls.crt and tls.key for the webhook; else it makes a certificate of its own. */
  readonly webhookCertPath?: string;
  /** Print the roles that are needed, and stop. */
  readonly printRbac: boolean;
  /** A kubeconfig file, before KUBECONFIG and the cluster's own. */
  readonly kubeconfig?: string;
}

/** The flags; or a text to print and leave with exit code 0; or what is wrong, one line each. */
export type FlagsOutcome =
  | { readonly tag: 'ok'; readonly flags: Flags }
  | { readonly tag: 'print'; readonly text: string }
  | { readonly tag: 'invalid'; readonly problems: readonly string[] };
