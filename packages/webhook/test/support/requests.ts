import type { ComposabilityRequest } from '@cro/crd-types';
import type { AdmissionHandler, HttpAnswer, RuledRequest } from '../../src/index.ts';
import { WEBHOOK_PATH } from '../../src/index.ts';

type Resource = ComposabilityRequest['spec']['resource'];

/** A request for two A100 on one node, with parts replaced; `nodes` are those of its devices. */
export function request(
  name: string,
  resource: Partial<Resource> = {},
  nodes: readonly string[] = [],
): RuledRequest & { readonly metadata: { readonly name: string } } {
  return {
    metadata: { name },
    spec: {
      resource: { type: 'gpu', model: 'NVIDIA-A100-PCIE-80GB', size: 2, allocation_policy: 'samenode', ...resource },
    },
    ...(nodes.length > 0 && {
      status: { resources: Object.fromEntries(nodes.map((node, index) => [`gpu-${index}`, { node_name: node }])) },
    }),
  };
}

/** The body of an AdmissionReview, as an API server sends it. */
export function reviewBody(operation: string, object: unknown, oldObject?: unknown): object {
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
      kind: { group: 'cro.hpsys.ibm.ie.com', version: 'v1alpha1', kind: 'ComposabilityRequest' },
      operation,
      object: object ?? null,
      oldObject: oldObject ?? null,
      userInfo: { username: 'admin' },
      dryRun: false,
    },
  };
}

/** Asks the handler as an API server does. */
export function ask(handle: AdmissionHandler, body: unknown): HttpAnswer {
  return handle({
    method: 'POST',
    path: `${WEBHOOK_PATH}?timeout=10s`,
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
