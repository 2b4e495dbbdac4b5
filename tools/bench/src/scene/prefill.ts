import { randomUUID } from 'node:crypto';
import { until } from '@cro/demo';
import type { Device } from '@cro/fabric-sim';
import type { Scene } from './scene.ts';
import { copyOf, makeTemplate, withText, type Template } from './template.ts';

/** What is put there. */
export interface Filling {
  readonly devices: number;
  /** Devices of one request. */
  readonly size: number;
}

/**
 * Fills a world in which an operator runs with Running requests and Online resources, spread over its nodes, each with a
 * device on the fabric and in its node's slice: copies of what the operator itself stored for one request. The operator
 * is stopped meanwhile, and not started again.
 */
export async function prefill(scene: Scene, { devices, size }: Filling): Promise<void> {
  const { world, host } = scene;
  const template = await makeTemplate(scene, size);
  await world.whileWebhookIsDown('Ignore');
  await scene.stop();
  const { machines } = world;
  const perNode = spread(devices / size, machines.size).map((requests) => requests * size);
  const { free } = world.fabric.snapshot();
  let taken = 0;
  let last = '';
  for (const [index, [node, machine]] of [...machines].entries()) {
    const count = perNode[index] ?? 0;
    for (const resUuid of free.slice(taken, taken + count)) world.fabric.move(resUuid, machine);
    taken += count;
    world.trouble.throwIfAborted();
    last = (await putNode(scene, template, node, machine)) ?? last;
    // A node at a time: watches follow, and the machine's other work is not held up.
    await world.nodes.settled();
  }
  await world.whileWebhookIsDown('Fail');
  await until({
    clock: host.clock,
    what: `the watches show ${devices} resources`,
    on: [(look) => world.resources.subscribe(look)],
    value: () => world.resources.get(last),
    withinMs: 300_000,
    signal: world.trouble,
  });
}

/** Puts the requests and resources of the devices on one machine. Answers the last one's name. */
async function putNode(
  { world }: Scene,
  template: Template,
  node: string,
  machine: string,
): Promise<string | undefined> {
  const devices = world.fabric.attachedTo(machine);
  const size = template.resources.length;
  let last: string | undefined;
  for (let from = 0; from < devices.length; from += size) {
    const ids = {
      request: `request-${randomUUID()}`,
      requestUid: randomUUID(),
      node,
      machine,
      devices: devices.slice(from, from + size).map(idsOf),
    };
    const { request, resources } = copyOf(template, ids);
    const uid = await world.put(request);
    // The API server may have given it another one.
    const owned = resources.map((resource) => withText(resource, ids.requestUid, uid));
    await Promise.all(owned.map((resource) => world.put(resource)));
    last = ids.devices.at(-1)?.resource;
  }
  return last;
}

function idsOf({ serial, resUuid }: Device) {
  return { resource: `gpu-${randomUUID()}`, resourceUid: randomUUID(), deviceId: serial, cdiDeviceId: resUuid };
}

/** `count` things in `places` shares that differ by one at most. */
function spread(count: number, places: number): readonly number[] {
  return Array.from(
    { length: places },
    (_, n) => Math.floor(((n + 1) * count) / places) - Math.floor((n * count) / places),
  );
}
