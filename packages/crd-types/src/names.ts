/** API group of both kinds. */
export const GROUP = 'cro.hpsys.ibm.ie.com';
/** The one version served. */
export const VERSION = 'v1alpha1';
/** Finalizer on both kinds. */
export const FINALIZER = 'com.ie.ibm.hpsys/finalizer';
/** Label on a ComposableResource: the name of the request that it belongs to. */
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
/** Label on a ComposableResource made by the syncer: the node's id of the device that is to be given back. */
export const READY_TO_DETACH_DEVICE_LABEL = 'cohdi.io/ready-to-detach-device-id';
/** Label beside it: the fabric's id of that device. */
export const READY_TO_DETACH_CDI_DEVICE_LABEL = 'cohdi.io/ready-to-detach-cdi-device-id';
/** Annotation of an autoscaler: RFC 3339 time at which the device was last used. */
export const LAST_USED_ANNOTATION = 'cohdi.io/last-used-time';
/** Annotation of an autoscaler: `"true"` when this device should go first. */
export const DELETE_DEVICE_ANNOTATION = 'cohdi.io/delete-device';
/** Annotation: `"true"` means that the hardware must not be touched any more. */
export const DETACHED_ANNOTATION = 'cohdi.io/detached';
/** Annotation: `"true"` means that nothing new is started for the object. */
export const PAUSED_ANNOTATION = 'cohdi.io/paused';
