import type { Kind } from '@cro/kube-runtime';
import { NVIDIA_SLICES, type ResourceSlice, type SliceDrivers } from './resource-slice.ts';
import { decodeSlice } from './slice-decode.ts';

/** ResourceSlices, decoded to {@link ResourceSlice}. */
export function sliceKindWith(drivers: SliceDrivers): Kind<ResourceSlice> {
  return {
    group: 'resource.k8s.io',
    version: 'v1',
    kind: 'ResourceSlice',
    plural: 'resourceslices',
    namespaced: false,
    decode: (value) => decodeSlice(value, drivers),
  };
}

/** ResourceSlices of which NVIDIA's GPUs alone are read. */
export const resourceSliceKind: Kind<ResourceSlice> = /* @__PURE__ */ sliceKindWith(NVIDIA_SLICES);
