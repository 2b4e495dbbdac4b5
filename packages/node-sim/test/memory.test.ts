import { describe, expect, it } from 'vitest';
import { createFabricSim, defaultTenant, makeMachines, seededRandom } from '@cro/fabric-sim';
import { VirtualClock } from '@cro/clock/testing';
import { createNodeSim, type NodeSimOptions } from '@cro/node-sim';
import { MemoryApi } from './memory-api.ts';
import { at } from './world.ts';

interface Node {
  status: { capacity: { memory: string }; allocatable: { memory: string } };
}

/** One node, and two pieces of memory in the pool: 2 GiB and 1 GiB. */
async function withMemory(options: Partial<NodeSimOptions> = {}) {
  const clock = new VirtualClock();
  const machines = makeMachines(1);
  const { machUuid } = at(machines, 0);
  const devices = [2048, 1024].map((memoryMiB, n) => {
    return { type: 'cxlmemory', model: 'cxl', serial: '', resUuid: `mem-${n}`, memoryMiB };
  });
  const fabric = createFabricSim({ clock, random: seededRandom(1), devices, machines, tenant: defaultTenant });
  const api = new MemoryApi();
  const report = ({ message }: { message: string }) => {
    throw new Error(message);
  };
  const nodes = createNodeSim({ clock, fabric, api, nodes: [{ name: 'worker-0', machUuid }], report, ...options });
  await nodes.start();
  const shown = () => api.read<Node>('/api/v1/nodes/worker-0').status;
  return { clock, fabric, nodes, machUuid, shown };
}

const GIB = 2 ** 20;

describe('memory that the fabric attaches', () => {
  it('is capacity of the node and leaves it again', async () => {
    const { fabric, nodes, machUuid, shown } = await withMemory();
    fabric.move('mem-0', machUuid);
    fabric.move('mem-1', machUuid);
    await nodes.settled();
    expect(shown()).toMatchObject({ capacity: { memory: `${19 * GIB}Ki` }, allocatable: { memory: `${19 * GIB}Ki` } });
    fabric.move('mem-0', undefined);
    await nodes.settled();
    expect(shown().capacity.memory).toBe(`${17 * GIB}Ki`);
  });

  it('shows after the delays, less what the kernel keeps', async () => {
    const { clock, fabric, nodes, machUuid, shown } = await withMemory({ publishDelayMs: 1_000, memoryShare: 0.5 });
    fabric.move('mem-0', machUuid);
    await clock.advance(999);
    expect(shown().capacity.memory).toBe('16Gi');
    await clock.advance(1);
    await nodes.settled();
    expect(shown().capacity.memory).toBe(`${17 * GIB}Ki`);
  });
});
