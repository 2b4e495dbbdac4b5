import { ref, walk, type Body, type Entry } from '../redfish/entry.ts';
import { lastSegment, ROOT } from '../redfish/uris.ts';
import { parentOf, type Store } from './store.ts';

/** The aggregation source under which the server knows its one agent. */
export const AGENT = `${ROOT}/AggregationService/AggregationSources/00000000-1000-4000-8000-000000000001`;

/** Collections that are the server's own and that no agent owns. */
const TOP_LEVEL = /^\/redfish\/v1(?:\/[^/]+)?$/;

/**
 * Fills the server's tree with what its agent serves, as the real server does: every object is marked with its agent,
 * links to collections below the top level come out wrong, and a collection without members is not there at all.
 */
export function upload(store: Store, root: Entry): void {
  store.clear();
  for (const entry of walk(root)) {
    const body = entry.body();
    const isEmpty = Array.isArray(body['Members']) && body['Members'].length === 0 && !TOP_LEVEL.test(entry.uri);
    if (!isEmpty) store.set(entry.uri, stored(entry, body));
  }
  store.set(AGENT, {
    '@odata.id': AGENT,
    '@odata.type': '#AggregationSource.v1_2_0.AggregationSource',
    Id: lastSegment(AGENT),
    HostName: 'http://agent.invalid:5001',
  });
}

function stored(entry: Entry, body: Body): Body {
  const { uri } = entry;
  if (Array.isArray(body['Members'])) {
    return TOP_LEVEL.test(uri) ? body : { ...body, '@odata.id': `${ROOT}/${lastSegment(uri)}` };
  }
  if (TOP_LEVEL.test(uri)) return body;
  return { ...body, ...wrongLinks(entry), Oem: managed(body) };
}

/** Links to what is right below a resource: the real server drops all of the path but the last part. */
function wrongLinks(entry: Entry): Body {
  const collections = entry.children().filter(({ uri }) => parentOf(uri) === entry.uri);
  return Object.fromEntries(
    collections.flatMap((child) => {
      const name = lastSegment(child.uri);
      const { Members: members } = child.body();
      return Array.isArray(members) && members.length > 0 ? [[name, ref(`${ROOT}/${name}`)]] : [];
    }),
  );
}

/** `Oem` with the mark of the agent. */
export function managed(body: Body): Body {
  const { Oem: oem } = body;
  const mark = {
    '@odata.type': '#SunfishExtensions.v1_0_0.ResourceExtensions',
    ManagingAgent: ref(AGENT),
    BoundaryComponent: 'owned',
  };
  return { ...(typeof oem === 'object' ? oem : {}), Sunfish_RM: mark };
}
