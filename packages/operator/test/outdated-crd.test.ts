import { describe, expect, it } from 'vitest';
import { takeDown } from './world/acts.ts';
import { crdManifests } from './world/manifests.ts';
import { putRequest, RESOURCES, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld } from './world/world.ts';

/* A cluster whose CRDs are not those of this release, so that what is written is not what is kept. */

interface Manifest {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly versions: readonly {
      readonly schema: {
        readonly openAPIV3Schema: {
          readonly properties: { readonly status: { properties: Record<string, unknown> } };
        };
      };
    }[];
  };
}

function crdsWithout(fields: readonly string[]): object[] {
  const crds = structuredClone(crdManifests()) as Manifest[];
  for (const { spec } of crds) {
    for (const { schema } of spec.versions) {
      const { status } = schema.openAPIV3Schema.properties;
      status.properties = Object.fromEntries(
        Object.entries(status.properties).filter(([name]) => !fields.includes(name)),
      );
    }
  }
  return crds;
}

describe('an outdated CRD', () => {
  it.each([
    { what: 'without status.operation', fields: ['operation'] },
    { what: 'of the Go operator', fields: ['operation', 'fabric', 'conditions', 'observedGeneration'] },
  ])('$what: the fabric is never asked for a device, and the status says what to do', async ({ fields }) => {
    const world = await makeWorld({ crds: crdsWithout(fields) });
    world.startOperator();
    putRequest(world, 'story', { size: 1 });
    const told = () => resourcesOf(world).some(({ status }) => status?.error?.includes('is outdated') === true);
    await until(world, 'told', told, 600_000);
    await world.clock.advance(600_000);
    expect(world.fabric.calls().attach).toBe(0);
    expect(resourcesOf(world)[0]?.status?.error).toContain('composableresources.cro.hpsys.ibm.ie.com is outdated');
    expect(resourcesOf(world)[0]?.status?.error).toContain('deploy/crd');
    // Applied, it goes on without a restart.
    for (const crd of crdManifests()) world.kube.objects.put(crd);
    await until(world, 'running', () => runsWith(world, 'story', 1), 600_000);
    expect(world.fabric.calls().attach).toBe(1);
    await takeDown(world, 'story');
    world.fabric.assertPoolWhole();
  });

  it('missing altogether: not ready, which says so, until it is there', async () => {
    const world = await makeWorld({
      crds: crdManifests().filter((crd) => (crd as Manifest).metadata.name !== RESOURCES),
    });
    const { operator } = world.startOperator();
    await world.clock.advance(10_000);
    expect(operator.notReady()).toEqual(['composableresources: the API server does not know this kind']);
    for (const crd of crdManifests()) world.kube.objects.put(crd);
    await until(world, 'ready', () => operator.notReady().length === 0, 120_000);
    putRequest(world, 'story', { size: 1 });
    await until(world, 'running', () => runsWith(world, 'story', 1), 10_000);
  });
});
