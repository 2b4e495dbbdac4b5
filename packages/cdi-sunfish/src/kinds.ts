import type { ReadKind } from '@cro/cdi-core';

/** The cluster's nodes: what memory one has before more is attached to it. */
export const NODE: ReadKind = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };
