/** The place of a resource in a URL. */
export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly namespace: string | undefined;
  readonly plural: string;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** Reads `/api/v1/...` and `/apis/<group>/<version>/...`; undefined for every other path. */
export function parseResourcePath(pathname: string): ResourcePath | undefined {
  const segments = decodeSegments(pathname);
  if (segments === undefined) return undefined;
  const [root, ...rest] = segments;
  if (root === 'api') return inVersion('', rest);
  if (root === 'apis' && rest[0] !== undefined) return inVersion(rest[0], rest.slice(1));
  return undefined;
}

function decodeSegments(pathname: string): readonly string[] | undefined {
  try {
    return pathname
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodeURIComponent);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function inVersion(group: string, segments: readonly string[]): ResourcePath | undefined {
  const [version, first, second, third, ...rest] = segments;
  if (version === undefined || first === undefined) return undefined;
  // `namespaces/<name>/status` is the Namespace itself; `namespaces/<name>/<plural>` is what is in it.
  const inside = first === 'namespaces' && second !== undefined && third !== undefined && !NAMESPACE_PARTS.has(third);
  const [plural, name, subresource, ...more] = inside ? [third, ...rest] : [first, second, third, ...rest];
  if (more.length > 0) return undefined;
  return { group, version, namespace: inside ? second : undefined, plural, name, subresource };
}

const NAMESPACE_PARTS: ReadonlySet<string> = new Set(['status', 'finalize']);
