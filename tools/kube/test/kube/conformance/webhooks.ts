import { gadget, GADGETS } from './gadget.ts';
import type { Conversation } from './conversation.ts';
import type { WebhookServer } from './webhook-server.ts';

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

/** Talks about a webhook at `server`. */
export type WebhookScript = (api: Conversation, server: WebhookServer) => Promise<void>;

const DENIALS = [
  { allowed: false },
  { allowed: false, status: { message: 'not this one' } },
  { allowed: false, status: { message: 'no', reason: 'NotToday', code: 451 } },
  { allowed: false, status: { reason: 'Forbidden', code: 200 } },
  { allowed: false, status: { code: 422, details: { causes: [{ message: 'm', field: 'spec.size' }] } } },
  { allowed: false, warnings: ['be careful'] },
  { warnings: ['be careful', 'a "quoted" one'] },
];

const free = (response: unknown) => ({ free: { response } });

/** What webhooks are asked, and what comes of their answers. Each script has a configuration for as long as it runs. */
export const WEBHOOK_SCRIPTS: Readonly<Record<string, WebhookScript>> = {
  'a webhook denies and warns': async (api, server) => {
    await configure(api, 'denies', server, {});
    for (const [index, response] of DENIALS.entries()) {
      await api.post(GADGETS, gadget(`hook-${String(index)}`, free(response), DENIES));
    }
    await api.post(`${GADGETS}?dryRun=All`, gadget('hook-dry', free(DENIALS[1]), DENIES));
    await api.mergePatch(`${GADGETS}/hook-6`, { spec: { size: 2, free: { response: DENIALS[1] } } });
    await api.delete(`${GADGETS}/hook-6`);
    await forget(api, 'denies');
  },
  'a webhook that cannot be called': async (api, server) => {
    const failures = [
      { clientConfig: { url: `${server.url}/x`, caBundle: server.wrongBundle } },
      { clientConfig: { url: 'https://127.0.0.1:1/x', caBundle: server.caBundle } },
      { clientConfig: { url: `${server.url}/x` } },
      { clientConfig: { service: { namespace: 'default', name: 'nobody' }, caBundle: server.caBundle } },
    ];
    for (const change of failures) {
      for (const failurePolicy of ['Fail', 'Ignore']) {
        await configure(api, 'fails', server, { ...change, failurePolicy });
        await api.post(GADGETS, gadget(`hook-${failurePolicy.toLowerCase()}`, {}, FAILS));
        await api.delete(`${GADGETS}/hook-${failurePolicy.toLowerCase()}`);
        await forget(api, 'fails');
      }
    }
  },
  'a webhook that does not answer as it should': async (api, server) => {
    for (const failurePolicy of ['Fail', 'Ignore']) {
      await configure(api, 'silent', server, { failurePolicy, timeoutSeconds: 1 });
      for (const response of ['silence', { uid: 'another' }]) {
        await api.post(GADGETS, gadget(`hook-silent-${failurePolicy.toLowerCase()}`, free(response), SILENT));
      }
      await forget(api, 'silent');
    }
  },
  'what a webhook is asked about': async (api, server) => {
    const conditions = [
      { name: 'small', expression: 'object.spec.size < 5' },
      { name: 'kept', expression: '!has(object.metadata.deletionTimestamp)' },
    ];
    await configure(api, 'picks', server, { matchConditions: conditions });
    await api.post(GADGETS, gadget('hook-small', free(DENIALS[1]), PICKS));
    await api.post(GADGETS, gadget('hook-large', { size: 6, ...free(DENIALS[1]) }, PICKS));
    await api.mergePatch(`${GADGETS}/hook-large/status`, { status: { count: 1 } });
    await api.mergePatch(`${GADGETS}/hook-large`, { spec: { size: 4 } });
    await forget(api, 'picks');
    const broken = [{ name: 'broken', expression: 'object.spec.nothing == 1' }];
    await configure(api, 'picks', server, { matchConditions: broken, failurePolicy: 'Ignore' });
    await api.post(GADGETS, gadget('hook-broken', free(DENIALS[1]), PICKS));
    await forget(api, 'picks');
  },
  'configurations that are wrong': async (api, server) => {
    const post = (changes: object) => api.post(CONFIGURATIONS, configuration('wrong', server, changes));
    await post({ clientConfig: { url: 'http://127.0.0.1/x' } });
    await post({ matchConditions: [{ name: 'a', expression: 'true' }] });
    await api.delete(`${CONFIGURATIONS}/wrong`);
  },
};

const DENIES = { labels: { hook: 'denies' } };
const FAILS = { labels: { hook: 'fails' } };
const SILENT = { labels: { hook: 'silent' } };
const PICKS = { labels: { hook: 'picks' } };

/** Posts a configuration, and asks until the server goes by it: that takes it a moment. */
async function configure(api: Conversation, name: string, server: WebhookServer, changes: object): Promise<void> {
  await api.post(CONFIGURATIONS, configuration(name, server, changes));
  await untilProbe(api, name, (status) => status !== 201);
}

/** Deletes it, and asks until the server has forgotten it. */
async function forget(api: Conversation, name: string): Promise<void> {
  await api.delete(`${CONFIGURATIONS}/${name}`);
  await untilProbe(api, name, (status) => status === 201);
}

const PROBES = 500;

async function untilProbe(api: Conversation, name: string, fits: (status: number) => boolean): Promise<void> {
  for (let asked = 0; asked < PROBES; asked += 1) if (fits(await probe(api, name))) return;
  throw new Error(`${name}: the server has not gone by the configuration within ${String(PROBES)} requests`);
}

/** Creates nothing; each configuration denies that as long as it is there. */
async function probe(api: Conversation, name: string): Promise<number> {
  const object = gadget(`hook-probe-${name}`, { free: { response: { allowed: false } } }, { labels: { probe: name } });
  const path = `${GADGETS}?dryRun=All`;
  const { status } = await api.quietly({
    method: 'POST',
    path,
    type: 'application/json',
    text: JSON.stringify(object),
  });
  return status;
}

function configuration(name: string, server: WebhookServer, changes: object) {
  const webhook = {
    name: `${name}.example.com`,
    admissionReviewVersions: ['v1'],
    clientConfig: { url: `${server.url}/validate`, caBundle: server.caBundle },
    rules: [
      {
        apiGroups: ['conformance.example.com'],
        apiVersions: ['v1'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['gadgets'],
      },
    ],
    objectSelector: { matchLabels: { hook: name } },
    sideEffects: 'None',
  };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      { ...webhook, ...changes },
      { ...webhook, name: `probe.${name}.example.com`, objectSelector: { matchLabels: { probe: name } } },
    ],
  };
}
