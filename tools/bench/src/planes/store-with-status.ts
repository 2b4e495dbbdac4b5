import { requestKind, resourceKind } from '@cro/demo';
import type { Kind, KubeClient, KubeObject } from '@cro/kube-runtime';

/** Creates a request or a resource, and gives it its status. Answers the uid that the API server gave it. */
export function storeWithStatus(client: KubeClient, object: object): Promise<string> {
  const isRequest = 'kind' in object && object.kind === requestKind.kind;
  return isRequest ? store(client, requestKind, object) : store(client, resourceKind, object);
}

type WithStatus = KubeObject & { readonly spec: unknown; readonly status?: unknown };

async function store<T extends WithStatus>(client: KubeClient, kind: Kind<T>, object: object): Promise<string> {
  // What every stored object has, and a new one has not.
  const given = 'metadata' in object && typeof object.metadata === 'object' ? object.metadata : {};
  const decoded = kind.decode({ ...object, metadata: { ...given, resourceVersion: '0' } });
  if (decoded.tag === 'malformed') throw new Error(`an object to be stored: ${decoded.message}`);
  const { metadata, spec, status } = decoded.object;
  const { name, labels, annotations, finalizers, ownerReferences } = metadata;
  const created = await client.create(kind, {
    metadata: { name, labels, annotations, finalizers, ownerReferences },
    spec,
  });
  if (created.tag !== 'done') throw new Error(`${name} cannot be created: ${JSON.stringify(created)}`);
  const patched = await client.patch(kind, { name }, { type: 'merge', value: { status } }, { subresource: 'status' });
  if (patched.tag !== 'done') throw new Error(`the status of ${name} cannot be written: ${JSON.stringify(patched)}`);
  return created.object.metadata.uid;
}
