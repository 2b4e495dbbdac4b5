/** Where things are in the trees of this package. */
export const ROOT = '/redfish/v1';
/** The machines. */
export const SYSTEMS = `${ROOT}/Systems`;
/** The composition service's blocks. */
export const BLOCKS = `${ROOT}/CompositionService/ResourceBlocks`;
/** Resource zones. */
export const ZONES = `${ROOT}/CompositionService/ResourceZones`;
/** The chassis that holds what is pooled. */
export const POOL = `${ROOT}/Chassis/Pool`;
/** The domains that memory chunks are cut from. */
export const DOMAINS = `${POOL}/MemoryDomains`;
/** The one fabric. */
export const FABRIC = `${ROOT}/Fabrics/CXL`;

/** A machine's ComputerSystem. Its Id is the machine's UUID. */
export function systemUri(machUuid: string): string {
  return `${SYSTEMS}/${machUuid}`;
}

/** A block. A device's block has the device's `resUuid` as its Id. */
export function blockUri(id: string): string {
  return `${BLOCKS}/${id}`;
}

/** The block that a machine's own processors are in; it never leaves its system. */
export function computeBlockId(machUuid: string): string {
  return `Compute-${machUuid}`;
}

/** The endpoint by which a machine reaches the fabric. */
export function initiatorUri(machUuid: string): string {
  return `${FABRIC}/Endpoints/I-${machUuid}`;
}

/** The last part of a URI. */
export function lastSegment(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1);
}
