/** How rows are written: `--format=csv,noheader,nounits`. */
export interface CsvFormat {
  readonly header: boolean;
  readonly units: boolean;
}

/** What nvidia-smi is asked. `ids` are the words of `-i`; none is for all. `words` say what is wrong with the question. */
export type Order =
  | { readonly tag: 'list'; readonly ids: readonly string[] }
  | {
      readonly tag: 'queryGpu' | 'queryApps';
      readonly fields: readonly string[];
      readonly format: CsvFormat;
      readonly ids: readonly string[];
    }
  | { readonly tag: 'persistence'; readonly on: boolean; readonly ids: readonly string[] }
  | { readonly tag: 'drain'; readonly id: string; readonly act: DrainAct }
  | { readonly tag: 'invalid'; readonly words: string };

/** What is done about a GPU's drain state: `-q`, `-m 1`, `-m 0` or `-r`. */
export type DrainAct = 'query' | 'on' | 'off' | 'remove';

/** Options with a value, by each of their names. */
const VALUED: Readonly<Record<string, string>> = {
  ...{ '-i': 'id', '--id': 'id', '-pm': 'pm', '--persistence-mode': 'pm', '--format': 'format' },
  ...{ '--query-gpu': 'gpu', '--query-compute-apps': 'apps' },
  ...{ '-p': 'pciid', '--pciid': 'pciid', '-m': 'modify', '--modify': 'modify' },
};
const FLAGS: Readonly<Record<string, string>> = {
  ...{ '-L': 'list', '--list-gpus': 'list', '-q': 'query', '--query': 'query', '-r': 'remove', '--remove': 'remove' },
};

const INVALID = "Invalid combination of input arguments. Please run 'nvidia-smi -h' for help.";

/** Reads the words behind `nvidia-smi`. */
export function orderOf(args: readonly string[]): Order {
  const [first, ...rest] = args;
  if (first === 'drain') return drainOrder(optionsOf(rest));
  const options = optionsOf(args);
  if (typeof options === 'string') return invalid(options);
  const ids = options.get('id')?.split(',') ?? [];
  const asked = [...options.keys()]
    .filter((name) => name !== 'id')
    .sort()
    .join();
  switch (asked) {
    case 'list':
      return { tag: 'list', ids };
    case 'pm': {
      const on = switchOf(options.get('pm'));
      return on === undefined
        ? invalid(`Invalid persistence mode "${options.get('pm') ?? ''}".`)
        : { tag: 'persistence', on, ids };
    }
    case 'format,gpu':
    case 'apps,format': {
      const format = formatOf(options.get('format') ?? '');
      const fields = (options.get('gpu') ?? options.get('apps') ?? '').split(',').map((field) => field.trim());
      const tag = options.has('gpu') ? 'queryGpu' : 'queryApps';
      return format === undefined ? invalid('Invalid --format= argument.') : { tag, fields, format, ids };
    }
    default:
      return invalid(INVALID);
  }
}

function drainOrder(options: ReadonlyMap<string, string> | string): Order {
  if (typeof options === 'string') return invalid(options);
  const id = options.get('pciid');
  const asked = [...options.keys()].filter((name) => name !== 'pciid').join();
  const on = switchOf(options.get('modify'));
  if (id === undefined) return invalid(INVALID);
  if (asked === 'query' || asked === 'remove') return { tag: 'drain', id, act: asked };
  if (asked === 'modify' && on !== undefined) return { tag: 'drain', id, act: on ? 'on' : 'off' };
  return invalid(INVALID);
}

/** The options by name, or what is wrong with one. */
function optionsOf(args: readonly string[]): ReadonlyMap<string, string> | string {
  const options = new Map<string, string>();
  const words = args[Symbol.iterator]();
  for (const word of words) {
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    const name = equals === -1 ? word : word.slice(0, equals);
    const flag = FLAGS[name];
    const valued = VALUED[name];
    if (flag !== undefined && equals === -1) options.set(flag, '');
    else if (valued === undefined)
      return `Invalid combination of input arguments. Option ${name} is not recognized. Please run 'nvidia-smi -h' for help.`;
    else {
      const value = equals === -1 ? words.next() : { done: false, value: word.slice(equals + 1) };
      if (value.done === true) return `Option ${name} is missing its value.`;
      options.set(valued, String(value.value));
    }
  }
  return options;
}

function switchOf(word: string | undefined): boolean | undefined {
  if (word === '1' || word === 'ENABLED') return true;
  return word === '0' || word === 'DISABLED' ? false : undefined;
}

function formatOf(word: string): CsvFormat | undefined {
  const [kind, ...rest] = word.split(',').map((part) => part.trim());
  if (kind !== 'csv' || rest.some((part) => part !== 'noheader' && part !== 'nounits')) return undefined;
  return { header: !rest.includes('noheader'), units: !rest.includes('nounits') };
}

function invalid(words: string): Order {
  return { tag: 'invalid', words };
}
