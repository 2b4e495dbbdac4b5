import { parseComposabilityRequest } from '@cro/crd-types';
import { CrdError, defineCrd } from '@cro/crd-types/crd';
import { Type } from 'typebox';

const parsed = parseComposabilityRequest({
  apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1',
  kind: 'ComposabilityRequest',
  metadata: { name: 'two-gpus', uid: '6d1f', resourceVersion: '1' },
  spec: { resource: { type: 'gpu', model: 'A100', size: -2 } },
});
export const message = parsed.tag === 'ok' ? 'fine' : parsed.message;
// spec.resource.size: found -2, accepted: integer >= 0

// A definition for a kind of your own.
export const widgetCrd = defineCrd({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  shortNames: ['wd'],
  scope: 'Namespaced',
  spec: Type.Object({ color: Type.Union([Type.Literal('red'), Type.Literal('blue')], { default: 'red' }) }),
  status: Type.Object({ ready: Type.Boolean() }),
  printerColumns: [{ name: 'Ready', type: 'boolean', jsonPath: '.status.ready' }],
});

// What a structural schema forbids is refused, with its path.
export function refusal(): string {
  try {
    defineCrd({
      group: 'example.com',
      version: 'v1',
      kind: 'Widget',
      plural: 'widgets',
      scope: 'Cluster',
      spec: Type.Object({ size: Type.Union([Type.String(), Type.Number()]) }),
    });
    return 'accepted';
  } catch (error) {
    return error instanceof CrdError ? error.path : 'something else';
  }
}
// spec.size
