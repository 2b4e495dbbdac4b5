/** Requests that are no step of an object's life: reads of whole collections, the lease, events, own permissions, the fabric's tokens. */
const NO_STEP = /^(LIST|WATCH) |leases|events|selfsubjectaccessreviews|id_manager/;

/** Whether a request belongs to what the operator does for an object. */
export function isStep(label: string): boolean {
  return !NO_STEP.test(label);
}

/** A request to the API server, without names: `PATCH composableresources/status`, `WATCH nodes`. */
export function apiLabel(method: string, path: string): string {
  const url = new URL(path, 'https://api.invalid');
  // /api/v1/... or /apis/<group>/<version>/..., and then perhaps /namespaces/<namespace>/<resource>.
  const [, root, ...segments] = url.pathname.split('/');
  const inVersion = segments.slice(root === 'api' ? 1 : 2);
  const isNamespaced = inVersion[0] === 'namespaces' && inVersion.length > 2;
  const [resource = '', name, subresource] = isNamespaced ? inVersion.slice(2) : inVersion;
  const isCollection = method === 'GET' && name === undefined;
  const verb = isCollection ? (url.searchParams.has('watch') ? 'WATCH' : 'LIST') : method;
  return `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}`;
}

/** A request to the fabric, without ids: `PATCH /fabric_manager/api/v1/machines/-/update`. */
export function fabricLabel(method: string, path: string): string {
  const { pathname } = new URL(path, 'https://fabric.invalid');
  return `${method} ${pathname.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, '-')}`;
}

/** What is run on nodes, by words that only it has; the names are those of docs/node.md where that has some. The first that fits counts. */
const COMMANDS: readonly (readonly [RegExp, string])[] = [
  [/ --query-compute-apps=/, 'load'],
  [/ -pm 0/, 'quiesce'],
  [/ drain -p \S+ -r/, 'remove'],
  [/nvidia-persistenced --persistence-mode/, 'persist'],
  [/ --query-gpu=/, 'list'],
];

/** A command for a container, by what it does: `EXEC remove`; any other by its program: `EXEC echo`. */
export function execLabel(path: string): string {
  const argv = new URL(path, 'https://api.invalid').searchParams.getAll('command');
  const words = argv.join(' ');
  const name = COMMANDS.find(([pattern]) => pattern.test(words))?.[1];
  return `EXEC ${name ?? argv[0] ?? ''}`;
}
