import type { TransportRequest } from '../transport.ts';

/** What an authorizer is asked about a request for a resource. */
export interface RequestAttributes {
  /** One of `Verb`, or `deletecollection`. */
  readonly verb: string;
  readonly group: string;
  /** With its subresource: `widgets/status`. */
  readonly resource: string;
  /** Empty for a cluster-scoped kind, and for all namespaces. */
  readonly namespace: string;
  /** Empty for a collection. */
  readonly name: string;
}

const VERBS = { GET: 'get', POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const;

/** `metadata.name=x`: the API server takes a list or watch of one name for one of that object. */
const ONE_NAME = /(?:^|,)metadata\.name==?([^,]*)(?:,|$)/;

/**
 * Reads a request as the API server does before it asks whether it is allowed (apiserver's RequestInfoFactory). `undefined`
 * for what is no resource: /version, /healthz, discovery.
 */
export function attributesOf({
  method,
  path,
}: Pick<TransportRequest, 'method' | 'path'>): RequestAttributes | undefined {
  const url = new URL(path, 'https://server');
  const [root, ...segments] = url.pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  if (root !== 'api' && root !== 'apis') return undefined;
  const [group = '', , ...rest] = root === 'api' ? ['', ...segments] : segments;
  const scoped = rest[0] === 'namespaces' && rest.length > 2;
  const namespace = scoped ? (rest[1] ?? '') : '';
  const [plural, given = '', subresource] = scoped ? rest.slice(2) : rest;
  if (plural === undefined) return undefined;
  const one = ONE_NAME.exec(url.searchParams.get('fieldSelector') ?? '')?.[1] ?? '';
  return {
    verb: given === '' ? collectionVerb(method, url.searchParams) : VERBS[method],
    group,
    resource: subresource === undefined ? plural : `${plural}/${subresource}`,
    namespace,
    name: given === '' && method !== 'POST' ? one : given,
  };
}

function collectionVerb(method: TransportRequest['method'], query: URLSearchParams): string {
  if (method === 'DELETE') return 'deletecollection';
  if (method !== 'GET') return VERBS[method];
  const { watch } = Object.fromEntries(query);
  return watch === '1' || watch === 'true' ? 'watch' : 'list';
}
