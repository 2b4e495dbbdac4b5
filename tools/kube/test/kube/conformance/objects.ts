import { fieldAt } from '../support/kinds.ts';
import type { Conversation, Reply } from './conversation.ts';

/** Talks with an API server about one thing. */
export type Script = (api: Conversation) => Promise<void>;

/** Scripts by what they are about. Each uses names of its own. */
export type Scripts = Readonly<Record<string, Script>>;

/** Paths of our kinds. */
export const GROUP = '/apis/cro.hpsys.ibm.ie.com/v1alpha1';
export const RESOURCES = `${GROUP}/composableresources`;
export const REQUESTS = `${GROUP}/composabilityrequests`;
/** Our finalizer. */
export const FINALIZER = 'com.ie.ibm.hpsys/finalizer';
/** Paths of built-in kinds. */
export const MAPS = '/api/v1/namespaces/default/configmaps';
export const NODES = '/api/v1/nodes';

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

/** A ConfigMap in `default`. */
export function configMap(name: string, data: object = { a: '1' }, metadata: object = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data };
}

/** The uid and resourceVersion of an answered object. */
export function metaOf({ json }: Reply): { readonly uid: string; readonly resourceVersion: string } {
  return { uid: textAt(json, 'metadata', 'uid'), resourceVersion: textAt(json, 'metadata', 'resourceVersion') };
}

/** A text in an answer; empty when there is none. */
export function textAt(json: unknown, ...path: readonly string[]): string {
  const found = fieldAt(json, ...path);
  return typeof found === 'string' ? found : '';
}
