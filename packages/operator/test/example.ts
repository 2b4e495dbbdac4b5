import { fabricManager } from '@cro/cdi-fti';
import { VirtualClock } from '@cro/clock/testing';
import { crds } from '@cro/crd-types/crd';
import { createFabricSim, defaultTenant, makeGpus, makeMachines, seededRandom } from '@cro/fabric-sim';
import { createKubeSim, type SimRequest } from '@cro/kube-sim';
import { RuntimeMetrics, silentLog } from '@cro/kube-runtime';
import { inProcessTransport } from '@cro/kube-runtime/testing';
import { createNodeSim } from '@cro/node-sim';
import { startOperator } from '@cro/operator';

/** Runs a whole operator, its cluster and its fabric in this process; two minutes of a slow fabric take no time. */
export async function attachOne(secret: object, newId: () => string) {
  const clock = new VirtualClock();
  const random = seededRandom(1);
  const end = new AbortController();
  const kube = createKubeSim({ clock, random, crds });
  const machines = makeMachines(1);
  const devices = makeGpus(2, 'A100');
  const fabric = createFabricSim({ clock, random, devices, machines, tenant: defaultTenant, attachMs: 120_000 });
  const send = async (request: Omit<SimRequest, 'headers'>) => {
    const { status, body } = await kube.handle({ headers: {}, ...request }, end.signal);
    return { status, body: String(body) };
  };
  const nodes = machines.map(({ machUuid }, index) => ({ name: `worker-${index}`, machUuid }));
  void createNodeSim({ clock, fabric, api: { send }, nodes, report: console.error }).start();
  kube.objects.put(secret);

  const operator = startOperator(
    {
      namespace: 'default',
      // Put your own provider here.
      provider: { definition: fabricManager, config: { endpoint: 'fabric.test', tenantId: defaultTenant } },
      syncMs: 60_000,
      orphanGraceMs: 600_000,
      fence: { tag: 'deviceTaintRules', without: 'refuse' },
      nodeActions: { tag: 'none' },
    },
    {
      ...{ clock, random, newId },
      transport: inProcessTransport(kube.handle),
      http: {
        send: ({ url, headers = {}, ...rest }, signal) =>
          fabric.handle({ ...rest, headers, path: url.slice('https://fabric.test'.length) }, signal),
      },
      log: silentLog,
      metrics: new RuntimeMetrics(),
      eventsOver: () => ({ event: (_about, type, reason, message) => console.log(type, reason, message) }),
      exec: () => Promise.resolve({ tag: 'notFound', message: 'no command runs here' }),
      leading: () => true,
      secretSeen: () => undefined,
      signal: end.signal,
    },
  );

  const request = { type: 'gpu', model: 'A100', size: 1 };
  const apiVersion = 'cro.hpsys.ibm.ie.com/v1alpha1';
  kube.objects.put({ apiVersion, kind: 'ComposabilityRequest', metadata: { name: 'r' }, spec: { resource: request } });
  const status = () => kube.objects.get('composabilityrequests.cro.hpsys.ibm.ie.com', 'r')?.['status'];
  await clock.runUntil(() => JSON.stringify(status() ?? {}).includes('"state":"Running"'), 600_000);

  await Promise.all([operator.stop(30_000), clock.advance(30_000)]);
  end.abort(new Error('the example is over'));
  return { status: status(), calls: fabric.calls(), seconds: clock.monotonic() / 1000 };
}
