import {
  parseComposabilityRequest,
  parseComposableResource,
  type ComposabilityRequest,
  type ComposableResource,
} from '@cro/crd-types';
import { A100, type AnyWorld } from './world.ts';

/** Resource name of requests, as the simulated API server's back door takes it. */
export const REQUESTS = 'composabilityrequests.cro.hpsys.ibm.ie.com';
/** Resource name of resources. */
export const RESOURCES = 'composableresources.cro.hpsys.ibm.ie.com';

type Details = Partial<ComposabilityRequest['spec']['resource']>;

/** Creates a request, or changes its spec, as a user would. */
export function putRequest(world: AnyWorld, name: string, details: Details): void {
  const present = world.kube.objects.get(REQUESTS, name);
  const resource = { type: 'gpu', model: A100, size: 1, ...details };
  if (present === undefined) {
    world.kube.objects.put({
      apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1',
      kind: 'ComposabilityRequest',
      metadata: { name },
      spec: { resource },
    });
    return;
  }
  world.kube.objects.put({ ...present, spec: { resource } });
}

/** A request as it is stored. */
export function requestOf(world: AnyWorld, name: string): ComposabilityRequest | undefined {
  const found = world.kube.objects.get(REQUESTS, name);
  if (found === undefined) return undefined;
  const parsed = parseComposabilityRequest(found);
  if (parsed.tag === 'malformed') throw new Error(parsed.message);
  return parsed.object;
}

/** All resources as they are stored. */
export function resourcesOf(world: AnyWorld): ComposableResource[] {
  return world.kube.objects.list(RESOURCES).map((found) => {
    const parsed = parseComposableResource(found);
    if (parsed.tag === 'malformed') throw new Error(parsed.message);
    return parsed.object;
  });
}

/** Whether a request runs with this many devices, all of them recorded. */
export function runsWith(world: AnyWorld, name: string, size: number): boolean {
  const request = requestOf(world, name);
  const entries = Object.values(request?.status?.resources ?? {});
  const current =
    request?.status?.scalarResource?.size === size && request.status.observedGeneration === request.metadata.generation;
  return (
    request?.status?.state === 'Running' &&
    current &&
    entries.length === size &&
    entries.every((one) => one.state === 'Online')
  );
}

/** Runs the world until a condition holds; fails with the state of everything when it does not. */
export async function until(
  world: AnyWorld,
  what: string,
  condition: () => boolean,
  limitMs = 1_800_000,
): Promise<void> {
  if (await world.clock.runUntil(condition, limitMs)) return;
  const picture = {
    requests: world.kube.objects.list(REQUESTS),
    resources: world.kube.objects.list(RESOURCES),
    fabric: world.fabric.snapshot(),
    log: world.log.slice(-40),
  };
  throw new Error(`not within ${limitMs / 1000} s: ${what}\n${JSON.stringify(picture, null, 1)}`);
}
