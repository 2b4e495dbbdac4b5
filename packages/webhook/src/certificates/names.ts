import { isIP } from 'node:net';
import type { WebhookAddress } from '../webhook-configuration.ts';

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/i;

/** What is wrong with the names of a certificate, if anything. One that no certificate covers would be issued for ever. */
export function certificateNameProblem(names: readonly string[]): string | undefined {
  if (names.length === 0) return 'certificate names: found none, accepted: DNS names and IP addresses';
  const wrong = names.find((name) => !isAddress(name) && !isDnsName(name));
  return wrong === undefined
    ? undefined
    : `certificate names: found ${JSON.stringify(wrong)}, accepted: DNS names and IP addresses`;
}

/** An address with a zone (`fe80::1%eth0`) means something on one machine only. */
function isAddress(name: string): boolean {
  return isIP(name) !== 0 && !name.includes('%');
}

function isDnsName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => DNS_LABEL.test(label));
}

/** The names that the webhook's certificate must be good for, from where the API server finds it. */
export function certificateNames(address: WebhookAddress): readonly string[] {
  // An IPv6 address stands in brackets in a URL, and without them in a certificate.
  if ('url' in address) return [new URL(address.url).hostname.replace(/^\[|\]$/g, '')];
  const { name, namespace } = address.service;
  return [`${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`];
}
