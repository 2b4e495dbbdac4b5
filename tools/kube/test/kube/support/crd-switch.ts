import { systemClock as clock } from '@cro/clock';
import { crds, type CustomResourceDefinition } from '@cro/crd-types/crd';
import { goCrds } from '@cro/crd-types/testing';
import { until } from '@cro/demo';
import { fieldAt } from './kinds.ts';
import type { World } from './world.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const PROBE_PATH = '/apis/cro.hpsys.ibm.ie.com/v1alpha1/composableresources?dryRun=All&fieldValidation=Strict';
const PROBE = {
  apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1',
  kind: 'ComposableResource',
  metadata: { name: 'probe' },
  spec: { type: 'gpu', model: 'any', target_node: 'any' },
  status: { state: '', observedGeneration: 1 },
};

/** Applies the CRDs of this release, or those of the Go operator's shapes, and waits until objects are judged by them. */
export async function switchCrds(world: World, whose: 'ours' | 'go'): Promise<void> {
  for (const crd of whose === 'ours' ? crds : goCrds) await replaceCrd(world, crd);
  const answer = whose === 'ours' ? 201 : 400;
  let stop = (): void => undefined;
  let status = 0;
  await until({
    clock,
    what: `objects are judged by the CRDs of ${whose}`,
    on: [
      (look) => {
        // The new schema is served a moment after it was stored, and nothing tells of that.
        const ask = async (): Promise<void> => {
          status = (await world.send('POST', PROBE_PATH, { type: 'application/json', text: JSON.stringify(PROBE) }))
            .status;
          look();
          if (status !== answer) stop = clock.after(50, () => void ask());
        };
        void ask();
        return () => {
          stop();
        };
      },
    ],
    value: () => (status === answer ? true : undefined),
    standing: () => `the answer to the probe is ${status}`,
    withinMs: 30_000,
    signal: world.trouble,
  });
}

async function replaceCrd({ send }: World, crd: CustomResourceDefinition): Promise<void> {
  const path = `${CRDS}/${crd.metadata.name}`;
  const stored = await send('GET', path);
  const metadata = { ...crd.metadata, resourceVersion: fieldAt(stored.json, 'metadata', 'resourceVersion') };
  const answer = await send('PUT', path, { type: 'application/json', text: JSON.stringify({ ...crd, metadata }) });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
}
