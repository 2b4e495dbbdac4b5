import type { ReadKind } from '@cro/cdi-core';

/** Metal3's machine, which a Node names when the cluster was made by the cluster API. */
export const METAL3_MACHINE: ReadKind = {
  group: 'infrastructure.cluster.x-k8s.io',
  version: 'v1beta1',
  kind: 'Metal3Machine',
  plural: 'metal3machines',
  namespaced: true,
};

/** OpenShift's machine, which a Node names when the cluster was made by the machine API. */
export const OPENSHIFT_MACHINE: ReadKind = {
  group: 'machine.openshift.io',
  version: 'v1beta1',
  kind: 'Machine',
  plural: 'machines',
  namespaced: true,
};

/** Metal3's server, whose annotation holds the fabric's id of it. */
export const BARE_METAL_HOST: ReadKind = {
  group: 'metal3.io',
  version: 'v1alpha1',
  kind: 'BareMetalHost',
  plural: 'baremetalhosts',
  namespaced: true,
};
