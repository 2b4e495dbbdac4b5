import type { Kind, KubeMeta } from '../../src/index.ts';

/** A made-up kind for tests. */
export interface Widget {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: KubeMeta;
  readonly spec: { readonly size: number; readonly color?: string };
  readonly status?: { readonly phase: string };
}

function isWidget(value: unknown): value is Widget {
  return (
    typeof value === 'object' &&
    value !== null &&
    'spec' in value &&
    typeof value.spec === 'object' &&
    value.spec !== null &&
    'size' in value.spec &&
    typeof value.spec.size === 'number'
  );
}

export const widgets: Kind<Widget> = {
  group: 'test.example',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
  decode: (value) =>
    isWidget(value) ? { tag: 'ok', object: value } : { tag: 'malformed', message: 'spec.size: expected a number' },
};

/** A body for a create. */
export function widget(name: string, size = 1, extra: object = {}) {
  return { metadata: { name, namespace: 'default', ...extra }, spec: { size } };
}
