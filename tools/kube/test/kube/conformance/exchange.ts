/** One request of a script. `text` is the body; `type` its content type. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly type?: string;
  readonly text?: string;
  readonly accept?: string;
}

/** What a client sees of an answer. */
export interface Seen {
  readonly status: number;
  readonly warning: string;
  readonly text: string;
}

/** An API server under test. */
export type Server = (request: Request) => Promise<Seen>;

/** An answer in a script. */
export interface Reply {
  readonly status: number;
  readonly json: unknown;
}

/** A conversation with an API server: what it answers is kept and compared. */
export class Conversation {
  readonly #server: Server;
  readonly records: {
    readonly asked: string;
    readonly status: number;
    readonly warning: string;
    readonly body: unknown;
  }[] = [];

  constructor(server: Server) {
    this.#server = server;
  }

  get(path: string): Promise<Reply> {
    return this.#ask({ method: 'GET', path });
  }

  /** As kubectl asks for what it prints. */
  table(path: string): Promise<Reply> {
    return this.#ask({ method: 'GET', path, accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
  }

  post(path: string, value: unknown): Promise<Reply> {
    return this.#ask({ method: 'POST', path, type: 'application/json', text: JSON.stringify(value) });
  }

  put(path: string, value: unknown): Promise<Reply> {
    return this.#ask({ method: 'PUT', path, type: 'application/json', text: JSON.stringify(value) });
  }

  jsonPatch(path: string, ...operations: readonly unknown[]): Promise<Reply> {
    return this.#ask({ method: 'PATCH', path, type: 'application/json-patch+json', text: JSON.stringify(operations) });
  }

  mergePatch(path: string, value: unknown): Promise<Reply> {
    return this.#ask({ method: 'PATCH', path, type: 'application/merge-patch+json', text: JSON.stringify(value) });
  }

  delete(path: string, options?: unknown): Promise<Reply> {
    const body = options === undefined ? {} : { type: 'application/json', text: JSON.stringify(options) };
    return this.#ask({ method: 'DELETE', path, ...body });
  }

  async #ask(request: Request): Promise<Reply> {
    const { status, warning, text } = await this.#server(request);
    const json = parse(text);
    const asked = `${request.method} ${request.path} ${request.text ?? ''}`;
    this.records.push({ asked: steady(asked), status, warning, body: steadyValue(json) });
    return { status, json };
  }
}

/** Answers of a watch are lines; everything else is one value, or plain text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.every((line) => line.startsWith('{')) ? lines.map((line) => JSON.parse(line) as unknown) : text;
  }
}

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const AGE = /^\d+s$/;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

function steady(text: string): string {
  return text
    .replaceAll(UID, '<uid>')
    .replaceAll(TIME, (time) => time.replaceAll(/\d/g, '0'))
    .replaceAll(
      /("resourceVersion"|resource version|"path":"\/metadata\/resourceVersion","value")(:\s*)"?\d+"?/g,
      '$1$2<rv>',
    )
    .replaceAll(/resourceVersion=\d+/g, 'resourceVersion=<rv>')
    .replaceAll(/continue=[^&]+/g, 'continue=<token>')
    .replaceAll(/in record \(\d+\)/g, 'in record (<rv>)')
    .replaceAll(/resource version: \S+ \(\d+\)/g, 'resource version: <rv> (<rv>)')
    .replaceAll(/(Invalid value: "\{)[^\n]*(\}": strict)/g, '$1<object>$2');
}

/** Left out: managedFields, which this project leaves alone, and what people read about a table's columns. */
const LEFT_OUT = ['managedFields', 'description'];

/** Without what differs from run to run. */
function steadyValue(value: unknown): unknown {
  if (typeof value === 'string') return AGE.test(value) ? '<age>' : steady(value);
  if (Array.isArray(value)) return value.map(steadyValue);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !LEFT_OUT.includes(key));
  return Object.fromEntries(
    entries.map(([key, item]) => {
      if (key === 'resourceVersion' && typeof item === 'string' && item !== '') return [key, '<rv>'];
      if (key === 'continue' && typeof item === 'string' && item !== '') return [key, '<token>'];
      return [key, steadyValue(item)];
    }),
  );
}
