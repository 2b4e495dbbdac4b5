import { isObject, type JsonObject, listAt, numberAt, objectAt, stringAt } from '../base/json.ts';
import type { World } from '../api/world.ts';
import type { WebhookAnswer, WebhookCall } from './webhook-caller.ts';
import type { Webhook } from './webhook.ts';

/** Where a webhook is. A service is looked up: its `clusterIP`, and the `targetPort` of the wanted port. */
export function addressOf(
  world: World,
  webhook: Webhook,
): Omit<WebhookCall, 'body'> | (Extract<WebhookAnswer, { ok: false }> & { readonly url: string }) {
  const bundle = stringAt(webhook.client, 'caBundle');
  const caBundle = bundle === undefined ? undefined : Buffer.from(bundle, 'base64').toString('utf8');
  const timeout = `timeout=${String(webhook.timeoutSeconds)}s`;
  const text = stringAt(webhook.client, 'url');
  if (text === undefined) return ofService(world, objectAt(webhook.client, 'service'), timeout, caBundle);
  if (!URL.canParse(text)) return { ok: false, url: text, message: `the url ${JSON.stringify(text)} is none` };
  const url = new URL(text);
  const port = url.port === '' ? 443 : Number(url.port);
  const separator = url.search === '' ? '?' : '&';
  return { url: `${text}${separator}${timeout}`, host: url.hostname, port, serverName: url.hostname, caBundle };
}

function ofService(world: World, service: JsonObject, timeout: string, caBundle: string | undefined) {
  const name = stringAt(service, 'name') ?? '';
  const namespace = stringAt(service, 'namespace') ?? '';
  const port = numberAt(service, 'port') ?? 443;
  const serverName = `${name}.${namespace}.svc`;
  const found = world.store.collection({ group: '', plural: 'services' }).get(`${namespace}/${name}`);
  const entry = listAt(found, 'spec', 'ports')
    .filter(isObject)
    .find((item) => item['port'] === port);
  const host = stringAt(found, 'spec', 'clusterIP') ?? '127.0.0.1';
  const url = `https://${serverName}:${String(port)}${stringAt(service, 'path') ?? '/'}?${timeout}`;
  if (found === undefined) return { ok: false, url, message: `service ${JSON.stringify(name)} not found` } as const;
  return { url, host, port: numberAt(entry, 'targetPort') ?? port, serverName, caBundle };
}
