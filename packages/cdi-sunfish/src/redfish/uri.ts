/** A path below the service root, with no dots to climb by and no percent signs to hide them. */
const URI = /^\/redfish\/v1(?:\/[A-Za-z0-9_~!$&'()*+,;=:@-][A-Za-z0-9._~!$&'()*+,;=:@-]*)*\/?$/;
const LONGEST = 1024;

/** An id that a label of Kubernetes may hold, and a URL, and a log line. */
const ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

/** True for a text that may be asked for as a path of the service. Links of a server are checked by it before they are followed. */
export function isUri(text: string): boolean {
  return text.length <= LONGEST && URI.test(text);
}

/** The last part of a URI. */
export function lastSegment(uri: string): string {
  const bare = uri.endsWith('/') ? uri.slice(0, -1) : uri;
  return bare.slice(bare.lastIndexOf('/') + 1);
}

/** The id of the device at a URI; undefined where it is of a form that the cluster's labels cannot hold. */
export function deviceIdOf(uri: string): string | undefined {
  const id = lastSegment(uri);
  return ID.test(id) ? id : undefined;
}

/** True when `uri` is `parent` or below it. */
export function isWithin(uri: string, parent: string): boolean {
  return uri === parent || uri.startsWith(`${parent}/`);
}

/**
 * Where a resource's collection is. A link that leads below its parent is right; any other one is what the Sunfish server makes of it
 * when it takes over an agent's tree (`System.Processors` becomes `/redfish/v1/Processors`), and the collection is where its
 * name says.
 */
export function belowParent(parent: string, property: string, link: string | undefined): string {
  return link !== undefined && isUri(link) && isWithin(link, parent) ? link : `${parent}/${property}`;
}
