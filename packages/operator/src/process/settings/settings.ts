import type { FtiConfig } from '@cro/cdi-fti';

/** How much is logged: `debug` is everything. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** Everything that the environment decides. */
export interface Settings {
  readonly provider: { readonly name: 'fti-fm'; readonly config: FtiConfig };
  readonly deviceResourceType: 'DRA';
  /** Serve the admission webhook in this process. */
  readonly webhooks: boolean;
  readonly gpuOperatorNamespace: string;
  /** Namespace of the Secret, the lease and the ConfigMap of the syncer. */
  readonly namespace: string;
  /** Name of the pod, when it is known. */
  readonly podName?: string;
  readonly syncSeconds: number;
  readonly orphanGraceSeconds: number;
  /** Longest orderly stop. */
  readonly stopSeconds: number;
  readonly logLevel: LogLevel;
  /** PEM file that replaces the system's CAs. */
  readonly sslCertFile?: string;
}

/** The settings, or one line for each thing that is wrong. */
export type SettingsOutcome =
  | { readonly tag: 'ok'; readonly settings: Settings }
  | { readonly tag: 'invalid'; readonly problems: readonly string[] };
