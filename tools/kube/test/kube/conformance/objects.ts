import type { Conversation } from './exchange.ts';

/** Talks with an API server about one thing. */
export type Script = (api: Conversation) => Promise<void>;

/** Paths of our kinds. */
export const GROUP = '/apis/cro.hpsys.ibm.ie.com/v1alpha1';
export const RESOURCES = `${GROUP}/composableresources`;
export const REQUESTS = `${GROUP}/composabilityrequests`;
/** Our finalizer. */
export const FINALIZER = 'com.ie.ibm.hpsys/finalizer';

/** A ComposableResource. */
export function resource(name: string, spec: object = {}, metadata: object = {}) {
  return {
    apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1',
    kind: 'ComposableResource',
    metadata: { name, ...metadata },
    spec: { type: 'gpu', model: 'A100', target_node: 'worker-0', ...spec },
  };
}

/** A ComposabilityRequest. */
export function request(name: string, spec: object = {}) {
  return {
    apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1',
    kind: 'ComposabilityRequest',
    metadata: { name },
    spec: { resource: { type: 'gpu', model: 'A100', size: 1, ...spec } },
  };
}
