import { createKubeSim, type Handle, serve, type SimClock } from '@cro/kube-sim';
import { widgetCrd } from './fixtures.ts';

/** The controller under test: it paints every Widget. How it reaches the API server is a parameter. */
async function paintWidgets(handle: Handle, signal: AbortSignal): Promise<void> {
  const path = '/apis/example.com/v1/widgets';
  const list = await handle({ method: 'GET', path, headers: {} }, signal);
  const { items } = JSON.parse(String(list.body)) as { items: { metadata: { name: string } }[] };
  for (const { metadata } of items) {
    const headers = { 'content-type': 'application/merge-patch+json' };
    const body = JSON.stringify({ status: { state: 'Painted' } });
    await handle({ method: 'PATCH', path: `${path}/${metadata.name}/status`, headers, body }, signal);
  }
}

/** Runs the controller against a server that loses the first answer, and tells what came of it. */
export async function tryController(clock: SimClock, random: () => number) {
  const sim = createKubeSim({ clock, random, crds: [widgetCrd] });
  sim.objects.put({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } });
  sim.faults.add({ match: ({ verb }) => verb === 'patch', when: 'after', trouble: { tag: 'cut' } });
  const writes: string[] = [];
  sim.observe(({ verb, name, status }) => writes.push(`${verb} ${name ?? ''} ${String(status ?? 'cut')}`));

  const { signal } = new AbortController();
  await paintWidgets(sim.handle, signal).catch(() => paintWidgets(sim.handle, signal));

  return { widget: sim.objects.get('widgets.example.com', 'a'), writes };
}

/** The same server on a socket, for controllers in any language: KUBECONFIG is all they need. */
export async function kubeconfigForController(clock: SimClock, random: () => number) {
  const { kubeconfig, close } = await serve(createKubeSim({ clock, random, crds: [widgetCrd] }));
  return { kubeconfig, close };
}
