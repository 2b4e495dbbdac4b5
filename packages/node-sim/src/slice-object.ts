import type { Device } from '@cro/fabric-sim';

/** The driver whose slices are published. */
export const DRIVER = 'gpu.nvidia.com';

/** Most devices that one ResourceSlice holds (resource.k8s.io/v1). */
export const MOST_DEVICES = 128;

/** A device under the name that its node's driver gave it. */
export interface NamedDevice {
  /** `gpu-<minor number>`. */
  readonly name: string;
  readonly device: Device;
  /** UUIDs of the MIG devices that it is cut into; none: it is whole. */
  readonly mig: readonly string[];
}

/** The Node that a slice belongs to. */
export interface SliceOwner {
  readonly name: string;
  readonly uid: string;
}

/** Name of a node's one slice. Fixed, so that a lost answer to its creation cannot make two. */
export function sliceName(node: string): string {
  return `${node}-${DRIVER}`;
}

/** The ResourceSlice of a node with these devices. */
export function sliceObject(
  owner: SliceOwner,
  devices: readonly NamedDevice[],
  generation: number,
  resourceVersion?: string,
) {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: {
      name: sliceName(owner.name),
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: owner.name, uid: owner.uid, controller: true }],
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    spec: {
      driver: DRIVER,
      nodeName: owner.name,
      pool: { name: owner.name, generation, resourceSliceCount: 1 },
      devices: devices.flatMap(sliceDevices),
    },
  };
}

/** Names of the entries that a device has in the slice. */
export function entryNames(device: NamedDevice): readonly string[] {
  return sliceDevices(device).map(({ name }) => name);
}

/**
 * The driver names a MIG device after its GPU's minor number, the profile, the profile's number and the place of its memory, and publishes
 * the GPU by these alone while MIG mode is on (dra-driver-nvidia-gpu, cmd/gpu-kubelet-plugin, 2026). Here all have the smallest profile of an A100.
 */
function sliceDevices({ name, device, mig }: NamedDevice) {
  const common = {
    productName: { string: device.model },
    brand: { string: 'Nvidia' },
    driverVersion: { version: '580.0.0' },
    cudaDriverVersion: { version: '13.0.0' },
  };
  if (mig.length === 0) {
    return [{ name, attributes: { type: { string: 'gpu' }, uuid: { string: device.serial }, ...common } }];
  }
  return mig.map((uuid, place) => ({
    name: `${name}-mig-1g5gb-19-${place}`,
    attributes: {
      type: { string: 'mig' },
      uuid: { string: uuid },
      parentUUID: { string: device.serial },
      profile: { string: '1g.5gb' },
      ...common,
    },
  }));
}
