import { newUid } from '../base/identity.ts';
import { defined, type JsonObject } from '../base/json.ts';
import type { AdmissionQuestion } from '../api/world.ts';

/** The `request` of an AdmissionReview (admission.k8s.io/v1). */
export function admissionRequest(question: AdmissionQuestion, random: () => number): JsonObject {
  const { type, operation, subresource, namespace, name, object, oldObject, dryRun } = question;
  const kind = { group: type.group, version: type.version, kind: type.kind };
  const resource = { group: type.group, version: type.version, resource: type.plural };
  return defined({
    uid: newUid(random),
    kind,
    resource,
    subResource: subresource,
    requestKind: kind,
    requestResource: resource,
    requestSubResource: subresource,
    name,
    namespace,
    operation,
    userInfo: { username: 'kube-sim', groups: ['system:masters', 'system:authenticated'] },
    object: object ?? null,
    oldObject: oldObject ?? null,
    dryRun,
    options: { kind: OPTIONS[operation], apiVersion: 'meta.k8s.io/v1' },
  });
}

const OPTIONS = {
  CREATE: 'CreateOptions',
  UPDATE: 'UpdateOptions',
  DELETE: 'DeleteOptions',
  CONNECT: 'PodExecOptions',
} as const;
