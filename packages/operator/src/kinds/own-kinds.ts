import {
  GROUP,
  parseComposabilityRequest,
  parseComposableResource,
  VERSION,
  type ComposabilityRequest,
  type ComposableResource,
} from '@cro/crd-types';
import type { Kind } from '@cro/kube-runtime';

/** ComposabilityRequests. */
export const requestKind: Kind<ComposabilityRequest> = {
  group: GROUP,
  version: VERSION,
  kind: 'ComposabilityRequest',
  plural: 'composabilityrequests',
  namespaced: false,
  decode: parseComposabilityRequest,
};

/** ComposableResources. */
export const resourceKind: Kind<ComposableResource> = {
  group: GROUP,
  version: VERSION,
  kind: 'ComposableResource',
  plural: 'composableresources',
  namespaced: false,
  decode: parseComposableResource,
};
