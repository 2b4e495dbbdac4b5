import { VirtualClock } from '@cro/clock/testing';
import { KubeClient } from '@cro/kube-runtime';
import { inProcessTransport } from '@cro/kube-runtime/testing';
import { createKubeSim, type KubeSim } from '@cro/kube-sim';
import { describe, expect, onTestFinished, test } from 'vitest';
import { configurationKind, secretKind } from '../src/certificates/kinds.ts';
import { observe } from '../src/certificates/observation.ts';
import {
  decideRotation,
  DEFAULT_POLICY,
  startWebhook,
  type RotationPolicy,
  validatingWebhookConfiguration,
  WEBHOOK_PATH,
  type Webhook,
} from '../src/index.ts';
import { request, reviewBody } from './support/requests.ts';
import { post } from './support/tls-client.ts';
import { soon } from './support/soon.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CONFIGURATION = 'validatingwebhookconfigurations.admissionregistration.k8s.io';
const secret = { namespace: 'kube-system', name: 'webhook-certificates' };

interface Scene {
  readonly clock: VirtualClock;
  readonly sim: KubeSim;
  start(): Promise<Webhook>;
}

/** An API server in memory; nothing is in it yet. TLS clients know the real time only: by then the clock must be there. */
function scene(policy: RotationPolicy = DEFAULT_POLICY, startMs = Date.now()): Scene {
  const clock = new VirtualClock(startMs);
  const random = () => 0.5;
  const sim = createKubeSim({ clock, random });
  const start = async () => {
    const transport = inProcessTransport(sim.handle);
    const client = new KubeClient({ transport, clock, random });
    const webhook = await startWebhook({
      ...{ clock, random, host: '127.0.0.1', port: 0, listRequests: () => [request('rival', { target_node: 'n' })] },
      certificates: {
        ...{ tag: 'managed', client, transport, secret, configuration: 'webhook', names: ['127.0.0.1'] },
        policy,
      },
    });
    onTestFinished(() => webhook.close());
    return webhook;
  };
  return { clock, sim, start };
}

function putConfiguration(sim: KubeSim): void {
  sim.objects.put(validatingWebhookConfiguration({ name: 'webhook', address: { url: 'https://127.0.0.1:1' } }));
}

/** What an API server trusts. */
function caBundle(sim: KubeSim): string {
  const configuration = sim.objects.get(CONFIGURATION, 'webhook') as
    { webhooks: { clientConfig: { caBundle?: string } }[] } | undefined;
  return Buffer.from(configuration?.webhooks[0]?.clientConfig.caBundle ?? '', 'base64').toString();
}

function secretData(sim: KubeSim): Readonly<Record<string, string>> {
  const found = sim.objects.get('secrets', secret.name, secret.namespace) as
    { data: Record<string, string> } | undefined;
  return found?.data ?? {};
}

/** What there is to do, for a process that has seen the present trust for long. */
function due(sim: KubeSim, policy: RotationPolicy, clock: VirtualClock): string {
  const found = secretKind.decode(sim.objects.get('secrets', secret.name, secret.namespace));
  const trusting = configurationKind.decode(sim.objects.get(CONFIGURATION, 'webhook'));
  if (found.tag === 'malformed' || trusting.tag === 'malformed') return 'malformed';
  const { secretFacts, trust } = observe(found.object, trusting.object, ['127.0.0.1']);
  const trusted = (trust?.trusted ?? []).map(({ fingerprint }) => ({ fingerprint, forMs: Infinity }));
  return decideRotation({ secret: secretFacts, configuration: { tag: 'present', trusted } }, policy, clock.now()).tag;
}

const authoritiesIn = (bundle: string) => bundle.split('BEGIN CERTIFICATE').length - 1;

/** Asks as an API server that trusts what the configuration says. Answers the serving certificate's fingerprint. */
async function ask(webhook: Webhook, sim: KubeSim): Promise<string> {
  const body = JSON.stringify(reviewBody('CREATE', request('new', { target_node: 'n' })));
  const answer = await post(webhook.port, caBundle(sim), body, { path: WEBHOOK_PATH });
  expect(answer.status).toBe(200);
  expect(answer.body).toContain('composabilityRequest resource rival');
  return answer.certificate.fingerprint256;
}

/** Lets virtual time go on until the assertion holds; keys are made on real threads, which virtual time cannot hurry. */
async function eventually(clock: VirtualClock, stepMs: number, assertion: () => void | Promise<void>): Promise<void> {
  await soon(async () => {
    await clock.advance(stepMs);
    await assertion();
  });
}

test('makes certificates, injects them, and is ready only then', async () => {
  const { clock, sim, start } = scene();
  const webhook = await start();
  expect(webhook.problem()).toBe('there is no serving certificate yet');
  await eventually(clock, 10, () => {
    expect(webhook.problem()).toBe('ValidatingWebhookConfiguration webhook with our webhook does not exist');
  });
  putConfiguration(sim);
  await eventually(clock, 10, () => {
    expect(webhook.ready()).toBe(true);
  });
  await ask(webhook, sim);
  expect(Object.keys(secretData(sim)).toSorted()).toEqual(['ca.crt', 'ca.key', 'tls.crt', 'tls.key']);
});

test('does not start for a name that no certificate could have', async () => {
  const clock = new VirtualClock();
  const transport = inProcessTransport(createKubeSim({ clock, random: () => 0 }).handle);
  const client = new KubeClient({ transport, clock, random: () => 0 });
  const certificates = { tag: 'managed', client, transport, secret, configuration: 'webhook', names: ['a_b'] } as const;
  await expect(
    startWebhook({ clock, random: () => 0, host: '127.0.0.1', port: 0, listRequests: () => [], certificates }),
  ).rejects.toThrow('certificate names: found "a_b", accepted: DNS names and IP addresses');
});

test('replicas share one Secret and one trust, whoever comes first', async () => {
  const { clock, sim, start } = scene();
  putConfiguration(sim);
  const replicas = await Promise.all([start(), start(), start()]);
  await eventually(clock, 100, () => {
    expect(replicas.map((replica) => replica.ready())).toEqual([true, true, true]);
  });
  const fingerprints = await Promise.all(replicas.map((replica) => ask(replica, sim)));
  expect(new Set(fingerprints).size).toBe(1);
  expect(authoritiesIn(caBundle(sim))).toBe(1);
});

test('a restart serves what is there; it writes nothing', async () => {
  const { clock, sim, start } = scene();
  putConfiguration(sim);
  const first = await start();
  await eventually(clock, 10, () => {
    expect(first.ready()).toBe(true);
  });
  const fingerprint = await ask(first, sim);
  await first.close();
  const writes: string[] = [];
  sim.observe(({ verb }) => {
    if (!['get', 'list', 'watch'].includes(verb)) writes.push(verb);
  });
  const second = await start();
  await eventually(clock, 10, () => {
    expect(second.ready()).toBe(true);
  });
  expect(await ask(second, sim)).toBe(fingerprint);
  await clock.advance(DAY);
  expect(writes).toEqual([]);
});

describe('what others do to it is repaired', () => {
  async function running() {
    const { clock, sim, start } = scene();
    putConfiguration(sim);
    const webhook = await start();
    await eventually(clock, 10, () => {
      expect(webhook.ready()).toBe(true);
    });
    return { clock, sim, webhook };
  }

  test('a configuration that was applied again, without the bundle', async () => {
    const { clock, sim, webhook } = await running();
    const bundle = caBundle(sim);
    putConfiguration(sim);
    expect(caBundle(sim)).toBe('');
    await eventually(clock, 10, () => {
      expect(caBundle(sim)).toBe(bundle);
    });
    await ask(webhook, sim);
  });

  test('not ready while the API server does not let it inject, and ready again afterwards', async () => {
    const { clock, sim, webhook } = await running();
    const trouble = { tag: 'fail', code: 403, reason: 'Forbidden', message: 'no rights' } as const;
    const allow = sim.faults.add({ match: ({ verb }) => verb === 'patch', when: 'before', times: Infinity, trouble });
    putConfiguration(sim);
    await clock.advance(10_000);
    expect(webhook.problem()).toBe('the webhook configuration does not trust the serving certificate');
    allow();
    await eventually(clock, 1_000, () => {
      expect(webhook.ready()).toBe(true);
    });
  });

  test('a Secret that was deleted, or filled with nonsense: new certificates, and never a moment without trust', async () => {
    const { clock, sim, webhook } = await running();
    const refusals: unknown[] = [];
    const served = new Set<string>();
    const replaced = (count: number) =>
      eventually(clock, 1_000, async () => {
        await ask(webhook, sim).then(
          (fingerprint) => served.add(fingerprint),
          (error: unknown) => refusals.push(error),
        );
        expect(served.size).toBe(count);
      });
    await replaced(1);
    sim.objects.delete('secrets', secret.name, secret.namespace);
    await replaced(2);
    sim.objects.put({ apiVersion: 'v1', kind: 'Secret', metadata: secret, data: { 'tls.crt': 'bm9uc2Vuc2U=' } });
    await replaced(3);
    expect(refusals).toEqual([]);
    expect(webhook.ready()).toBe(true);
  });
});

test('rotates certificates and their authority, ready all the time', async () => {
  const policy: RotationPolicy = {
    authorityLifetimeMs: 8 * HOUR,
    authorityRenewMs: 3 * HOUR,
    servingLifetimeMs: 2 * HOUR,
    servingRenewMs: HOUR,
    propagationMs: 10_000,
    retireMs: HOUR / 4,
    backdateMs: HOUR / 12,
  };
  const { clock, sim, start } = scene(policy, Date.now() - 6 * HOUR);
  putConfiguration(sim);
  const webhook = await start();
  await eventually(clock, 10, () => {
    expect(webhook.ready()).toBe(true);
  });
  const firstAuthority = caBundle(sim);
  const certificates = new Set<string>();
  const bundles = new Set<string>();
  for (let minute = 0; minute <= 6 * 60; minute += 3) {
    await clock.advance(3 * 60_000);
    await eventually(clock, 1_000, () => {
      expect(due(sim, policy, clock)).toBe('wait');
    });
    expect(webhook.problem()).toBeUndefined();
    certificates.add(secretData(sim)['tls.crt'] ?? '');
    bundles.add(caBundle(sim));
  }
  expect(certificates.size).toBeGreaterThanOrEqual(5);
  // The first authority, then both, then the second.
  expect([...bundles].map(authoritiesIn)).toEqual([1, 2, 1]);
  expect([...bundles][1]).toContain(firstAuthority);
  expect([...bundles][2]).not.toContain(firstAuthority);
  // By now the real time has come: a TLS client that trusts the configuration agrees.
  await ask(webhook, sim);
});
