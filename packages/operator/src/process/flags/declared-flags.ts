/** One flag: everything that the parser, `--help` and the documentation say about it. */
export interface DeclaredFlag {
  readonly name: string;
  /** Kind of value: a switch takes `true` or `false` and may stand alone; a duration is written as in Go, `15s`. */
  readonly kind: 'switch' | 'address' | 'path' | 'duration';
  readonly fallback?: string;
  readonly meaning: string;
}

/** Every flag, once: those of the Go operator first. */
export const DECLARED_FLAGS: readonly DeclaredFlag[] = [
  {
    name: 'metrics-bind-address',
    kind: 'address',
    fallback: '0',
    meaning: 'Where metrics are served, as host:port or :port. 0: nowhere.',
  },
  {
    name: 'health-probe-bind-address',
    kind: 'address',
    fallback: ':8081',
    meaning: 'Where /healthz and /readyz are served. 0: nowhere.',
  },
  {
    name: 'leader-elect',
    kind: 'switch',
    fallback: 'false',
    meaning: 'Accepted. A leader is always elected: two operators at once would attach twice.',
  },
  {
    name: 'leader-elect-lease-duration',
    kind: 'duration',
    fallback: '15s',
    meaning: 'How long others wait after the leader has renewed its lease for the last time.',
  },
  {
    name: 'leader-elect-renew-deadline',
    kind: 'duration',
    fallback: '10s',
    meaning: 'A leader that could not renew its lease for this long ends. Less than the lease duration.',
  },
  {
    name: 'leader-elect-retry-period',
    kind: 'duration',
    fallback: '2s',
    meaning: 'The time between two attempts to take or renew the lease.',
  },
  {
    name: 'metrics-secure',
    kind: 'switch',
    fallback: 'true',
    meaning: 'Metrics over HTTPS, with the certificate of --metrics-cert-path or a self-signed one.',
  },
  { name: 'metrics-cert-path', kind: 'path', meaning: 'Directory with tls.crt and tls.key for the metrics server.' },
  { name: 'enable-http2', kind: 'switch', fallback: 'false', meaning: 'Accepted. Servers speak HTTP/1.1 only.' },
  {
    name: 'webhook-bind-address',
    kind: 'address',
    fallback: ':9443',
    meaning: 'Where the admission webhook is served.',
  },
  {
    name: 'webhook-cert-path',
    kind: 'path',
    meaning: 'Directory with tls.crt and tls.key for the webhook. Not set: it makes and rotates its own.',
  },
  {
    name: 'print-rbac',
    kind: 'switch',
    fallback: 'false',
    meaning:
      'Print the roles that these settings need beyond deploy/rbac, for kubectl apply -f -, and stop: for kinds that the provider reads, and Secrets that its configuration names.',
  },
  { name: 'kubeconfig', kind: 'path', meaning: "A kubeconfig file. Not set: KUBECONFIG, then the pod's own account." },
];
