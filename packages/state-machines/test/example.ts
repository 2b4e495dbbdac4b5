import { nextStatus, resourceFacts, resourceStateOf, resourceWords, stepResource } from '@cro/state-machines';
import type { ComposableResource } from '@cro/crd-types';

const resource: ComposableResource = {
  apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1',
  kind: 'ComposableResource',
  metadata: {
    name: 'gpu-1',
    uid: 'u-1',
    resourceVersion: '7',
    generation: 1,
    finalizers: ['com.ie.ibm.hpsys/finalizer'],
  },
  spec: { type: 'gpu', model: 'A100', target_node: 'worker-0' },
  status: { state: 'Attaching', device_id: 'GPU-a', cdi_device_id: 'RES-a', observedGeneration: 1 },
};
const known = {
  node: 'ready',
  visible: 'visible',
  health: { ok: true, message: '' },
  running: 'nothing',
  unstartedTicket: undefined,
  settled: false,
  draining: false,
} as const;

const state = resourceStateOf(resource);
if (state === undefined) throw new Error('somebody wrote a state that is none');
const facts = resourceFacts(resource, state, known);
export const { row, decision } = stepResource(facts, resourceWords(resource, known));
// row is 'visible'; decision is { tag: 'save', change: { tag: 'report', report: { state: 'Online', ... } } }

export const status =
  decision.tag === 'save' && decision.change.tag === 'report'
    ? nextStatus(resource, decision.change, { known, now: '2026-01-01T00:00:00Z', location: undefined })
    : undefined;
// status.state is 'Online', and the condition Ready is True
