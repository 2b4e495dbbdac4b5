/** A ComposabilityRequest as an API server returns it, with parts replaced. */
export function request(resource: object = {}, rest: object = {}): unknown {
  return {
    apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1',
    kind: 'ComposabilityRequest',
    metadata: { name: 'r', uid: 'u', resourceVersion: '1' },
    spec: { resource: { type: 'gpu', model: 'A100', size: 2, ...resource } },
    ...rest,
  };
}

/** A ComposableResource as an API server returns it, with its status given. */
export function resource(status?: object): unknown {
  return {
    apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1',
    kind: 'ComposableResource',
    metadata: { name: 'gpu-1', uid: 'u', resourceVersion: '1' },
    spec: { type: 'gpu', model: 'A100', target_node: 'worker-0' },
    ...(status === undefined ? {} : { status }),
  };
}
