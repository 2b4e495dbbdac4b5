import { KubeClient, watchKind, type Cache } from '@cro/kube-runtime';
import { certificateNames, startWebhook, type Webhook } from '@cro/webhook';
import { type ComposabilityRequest, requestKind } from '@cro/crd-types';
import { CERTIFICATE_SECRET } from '../names.ts';
import type { CommonSettings, Flags } from '../process/index.ts';
import type { HeardWorld } from './process-world.ts';

/** A webhook with the watch that it reads. */
export interface ServedWebhook {
  /** Why it is not ready, for a person. */
  readonly problem: () => string | undefined;
  readonly close: () => Promise<void>;
}

/** Serves the webhook. Rejects when it cannot listen. */
export async function serveWebhook(settings: CommonSettings, flags: Flags, world: HeardWorld): Promise<ServedWebhook> {
  const { clock, random, log, metrics, transport } = world;
  const end = new AbortController();
  const client = new KubeClient({
    transport,
    clock,
    random,
    metrics,
    userAgent: 'composable-resource-operator-webhook',
  });
  const requests = watchKind(requestKind, { client, transport, clock, random, log, metrics, signal: end.signal });
  const webhook = await startWebhook({
    clock,
    random,
    log,
    metrics,
    ...(flags.webhook.host !== undefined && { host: flags.webhook.host }),
    port: flags.webhook.port,
    listRequests: () => requests.list(),
    certificates: certificatesOf(settings, flags, client, world),
  });
  return {
    problem: () => problemOf(webhook, requests),
    close: async () => {
      await webhook.close();
      end.abort(new Error('the webhook closes'));
    },
  };
}

function certificatesOf(settings: CommonSettings, flags: Flags, client: KubeClient, { transport }: HeardWorld) {
  if (flags.webhookCertPath !== undefined) return { tag: 'mounted', directory: flags.webhookCertPath } as const;
  const { namespace, webhook } = settings;
  const address = { service: { namespace, name: webhook.service } };
  return {
    tag: 'managed',
    client,
    transport,
    secret: { namespace, name: CERTIFICATE_SECRET },
    configuration: webhook.configuration,
    names: [...certificateNames(address), ...webhook.names],
  } as const;
}

function problemOf(webhook: Webhook, requests: Cache<ComposabilityRequest>): string | undefined {
  return requests.synced ? webhook.problem() : 'composabilityrequests: not read yet';
}
