import type { Clock } from '@cro/clock';
// By its own path: the package's index loads every generated API, 122 MB of them.
import { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { HttpsTransport } from '../https/https-transport.ts';
import { messageOf } from '../json.ts';
import { KubeConfigCredentials } from './credential-source.ts';

/** A cluster that can be talked to. */
export interface Cluster {
  readonly transport: HttpsTransport;
  /** The namespace of the kubeconfig's context, or of the pod. */
  readonly namespace?: string;
}

/** The outcome of loading. `message` says what is wrong with the configuration, and what is accepted. */
export type LoadedCluster =
  { readonly tag: 'loaded'; readonly cluster: Cluster } | { readonly tag: 'invalid'; readonly message: string };

/** What to load. */
export interface LoadClusterOptions {
  readonly clock: Clock;
  /** The path of a kubeconfig. Default: KUBECONFIG, else ~/.kube/config, else the pod's service account. */
  readonly kubeconfig?: string;
}

/** Loads the cluster's address and credentials. Nothing is sent. */
export function loadCluster({ clock, kubeconfig }: LoadClusterOptions): LoadedCluster {
  const config = new KubeConfig();
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(kubeconfig);
  } catch (error) {
    // Only the first line: a YAML error goes on with the text around it, in which a token may stand.
    const [line = ''] = messageOf(error).split('\n');
    return { tag: 'invalid', message: `the kubeconfig ${sourceOf(kubeconfig)} cannot be read: ${line}` };
  }
  const server = serverOf(config);
  if (typeof server === 'string')
    return { tag: 'invalid', message: `the kubeconfig ${sourceOf(kubeconfig)}: ${server}` };
  const transport = new HttpsTransport({ server, credentials: new KubeConfigCredentials(config, clock) });
  const namespace = config.getContextObject(config.getCurrentContext())?.namespace;
  return { tag: 'loaded', cluster: { transport, ...(namespace !== undefined && { namespace }) } };
}

/** The server's address, or what is wrong with the configuration. */
function serverOf(config: KubeConfig): URL | string {
  const context = config.getCurrentContext();
  const cluster = config.getCurrentCluster();
  if (cluster === null) return `current-context is ${JSON.stringify(context)}; it has to name a context with a cluster`;
  if (config.getCurrentUser() === null) return `the context ${JSON.stringify(context)} has to name a user`;
  if (cluster.skipTLSVerify) {
    return 'insecure-skip-tls-verify is true; certificates are always checked: give certificate-authority instead';
  }
  if (cluster.proxyUrl !== undefined) return 'proxy-url is set; a proxy is not supported';
  const server = URL.canParse(cluster.server) ? new URL(cluster.server) : undefined;
  if (server?.protocol === 'https:') return server;
  const none = cluster.server === 'http://localhost:8080';
  const hint = none ? ' (no kubeconfig was found, and this is no pod)' : '';
  return `server is ${JSON.stringify(cluster.server)}${hint}; accepted is an https URL`;
}

function sourceOf(kubeconfig: string | undefined): string {
  return kubeconfig ?? process.env.KUBECONFIG ?? '(default)';
}
