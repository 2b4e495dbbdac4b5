import { GROUP, VERSION } from './names.ts';
import { parseComposabilityRequest, parseComposableResource } from './parse.ts';

/** ComposabilityRequests: where they are served and how they are parsed, as a `Kind` of @cro/kube-runtime says it. */
export const requestKind = {
  group: GROUP,
  version: VERSION,
  kind: 'ComposabilityRequest',
  plural: 'composabilityrequests',
  namespaced: false,
  decode: parseComposabilityRequest,
} as const;

/** ComposableResources; as `requestKind`. */
export const resourceKind = {
  group: GROUP,
  version: VERSION,
  kind: 'ComposableResource',
  plural: 'composableresources',
  namespaced: false,
  decode: parseComposableResource,
} as const;
