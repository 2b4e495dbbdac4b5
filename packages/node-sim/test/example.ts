import assert from 'node:assert/strict';
import { systemClock } from '@cro/clock';
import { createFabricSim, defaultTenant, makeGpus, makeMachines, seededRandom } from '@cro/fabric-sim';
import { createKubeSim } from '@cro/kube-sim';
import { createNodeSim, sliceName, type Api } from '@cro/node-sim';

const random = seededRandom(1);
const machines = makeMachines(2);
const devices = makeGpus(8, 'NVIDIA-A100-PCIE-80GB');
const fabric = createFabricSim({ clock: systemClock, random, devices, machines, tenant: defaultTenant });

// Any API server will do: here one in memory, called without a socket.
const kube = createKubeSim({ clock: systemClock, random });
const api: Api = {
  async send({ headers = {}, ...request }) {
    const { status, body } = await kube.handle({ ...request, headers }, new AbortController().signal);
    assert(typeof body === 'string');
    return { status, body };
  },
};

const nodes = createNodeSim({
  clock: systemClock,
  fabric,
  api,
  nodes: machines.map(({ machUuid }, index) => ({ name: `worker-${index}`, machUuid, host: { driver: 'container' } })),
  publishDelayMs: 0,
  report: ({ doing, message }) => console.error(`${doing}: ${message}`),
});
await nodes.start();

// A device comes to the first machine, by hand here, by a client of the fabric manager elsewhere.
const [machine] = machines;
const [device] = devices;
assert(machine !== undefined && device !== undefined);
fabric.move(device.resUuid, machine.machUuid);
await nodes.settled();

const path = `/apis/resource.k8s.io/v1/resourceslices/${sliceName('worker-0')}`;
const { body } = await api.send({ method: 'GET', path });
assert(body.includes(`"uuid":{"string":"${device.serial}"}`));

// The fabric takes it, although the node's driver still had it: on hardware that ends badly.
assert.equal(nodes.host('worker-0').gpus()[0]?.minor, 0);
fabric.move(device.resUuid, undefined);
assert.throws(() => nodes.assertNoFaults(), /worker-0: GPU-.* pulledWhileOpen, held by nvidia, .*nvidia-persiste/);

nodes.stop();
