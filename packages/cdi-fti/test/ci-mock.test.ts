import { makeGpus, makeMachines } from '@cro/fabric-sim';
import { describe, expect, test } from 'vitest';
import { contextOf, MODEL, openFabric, OTHER_MODEL } from './support/fabric.ts';
import { attachOne, attachRequest, detachRequest, prepared, started, ticketFor } from './support/steps.ts';

const [machine] = makeMachines(1).map(({ machUuid }) => machUuid);

describe("CoHDI's mock of the Fabric Manager", () => {
  test('that has no device of the model says so in its own words: exhausted, and not in doubt', async () => {
    const fabric = openFabric({ fmDialect: 'ciMock' });
    expect(await started(fabric, await ticketFor(fabric, attachRequest(fabric, { model: OTHER_MODEL })))).toEqual({
      tag: 'refused',
      failure: {
        kind: 'Exhausted',
        message: "failed to process FM scaleup request. FM returned error: 'insufficient_resources' (HTTP 404)",
      },
    });
  });

  test('that does not know the machine says so: the request is wrong', async () => {
    const fabric = openFabric({ fmDialect: 'ciMock' });
    expect(await prepared(fabric, attachRequest(fabric, { machine: 'elsewhere' }))).toEqual({
      tag: 'failed',
      failure: {
        kind: 'Rejected',
        message: "failed to process FM get request. FM returned error: 'machine not found' (HTTP 404)",
      },
    });
  });

  test('gives out what stands on the machine since the start, and takes it away again', async () => {
    const devices = makeGpus(2, MODEL).map((spec) => ({ ...spec, machine: machine ?? '' }));
    const fabric = openFabric({ fmDialect: 'ciMock', devices });
    const query = { type: 'gpu', model: MODEL, machine: fabric.machine } as const;
    expect(await fabric.provider.inventory(query, contextOf(fabric.provider))).toEqual({ tag: 'free', count: 2 });
    const { cdiDeviceId } = await attachOne(fabric);
    expect(cdiDeviceId).toBe(devices[0]?.resUuid);
    const second = await started(fabric, await ticketFor(fabric, attachRequest(fabric, { claimed: [cdiDeviceId] })));
    expect(second).toMatchObject({ tag: 'done', device: { cdiDeviceId: devices[1]?.resUuid } });
    const detached = await started(fabric, await ticketFor(fabric, detachRequest(fabric, { cdiDeviceId })));
    expect(detached).toEqual({ tag: 'done' });
    expect(fabric.sim.attachedTo(fabric.machine).map(({ resUuid }) => resUuid)).toEqual([devices[1]?.resUuid]);
  });
});
