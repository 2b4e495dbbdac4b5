import { steady, steadyValue } from './steady.ts';

/** A method of HTTP that scripts use. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One request of a script. `text` is the body; `type` its content type. */
export interface Request {
  readonly method: Method;
  readonly path: string;
  readonly type?: string;
  readonly text?: string;
  readonly accept?: string;
}

/** What a client sees of an answer. */
export interface Seen {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** An API server under test. */
export interface Server {
  send(request: Request): Promise<Seen>;
  /** Makes it forget all that was before now. */
  compact(): Promise<void>;
}

/** An answer in a script. */
export interface Reply {
  readonly status: number;
  readonly json: unknown;
}

/** What was asked, and what is compared of the answer. */
export interface Answered {
  readonly asked: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** As kubectl asks for what it prints. */
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** The headers that clients act on. */
const COMPARED = ['content-type', 'warning', 'retry-after'];

/** A conversation with an API server: what it answers is kept and compared. */
export class Conversation {
  readonly #server: Server;
  /** In the order of the questions, whichever of two that are asked side by side is answered first. */
  readonly records: Answered[] = [];
  #asked = 0;

  constructor(server: Server) {
    this.#server = server;
  }

  get(path: string, accept?: string): Promise<Reply> {
    return this.ask({ method: 'GET', path, ...(accept !== undefined && { accept }) });
  }

  table(path: string): Promise<Reply> {
    return this.get(path, TABLE);
  }

  post(path: string, value: unknown): Promise<Reply> {
    return this.ask({ method: 'POST', path, type: 'application/json', text: JSON.stringify(value) });
  }

  put(path: string, value: unknown): Promise<Reply> {
    return this.ask({ method: 'PUT', path, type: 'application/json', text: JSON.stringify(value) });
  }

  jsonPatch(path: string, ...operations: readonly unknown[]): Promise<Reply> {
    return this.#patch(path, 'json-patch', operations);
  }

  mergePatch(path: string, value: unknown): Promise<Reply> {
    return this.#patch(path, 'merge-patch', value);
  }

  strategicPatch(path: string, value: unknown): Promise<Reply> {
    return this.#patch(path, 'strategic-merge-patch', value);
  }

  delete(path: string, options?: unknown): Promise<Reply> {
    const body = options === undefined ? {} : { type: 'application/json', text: JSON.stringify(options) };
    return this.ask({ method: 'DELETE', path, ...body });
  }

  /** Asks what is not to be kept: a large document, or whether the server is so far. */
  async quietly(request: Request): Promise<Reply> {
    const { status, text } = await this.#server.send(request);
    return { status, json: parse(text) };
  }

  /** Keeps what a script has seen. */
  keep(asked: string, status: number, body: unknown): void {
    this.records[this.#asked] = { asked, status, headers: {}, body: steadyValue(body) };
    this.#asked += 1;
  }

  /** The server forgets all that was before now. */
  compact(): Promise<void> {
    return this.#server.compact();
  }

  /** Sends a request as it is, and keeps what the client sees of the answer. */
  async ask(request: Request): Promise<Reply> {
    const index = this.#asked;
    this.#asked += 1;
    const { status, headers, text } = await this.#server.send(request);
    const json = parse(text);
    const told = COMPARED.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]));
    this.records[index] = {
      asked: steady(`${request.method} ${request.path} ${(request.text ?? '').slice(0, 400)}`),
      status,
      headers: Object.fromEntries(told),
      body: steadyValue(json),
    };
    return { status, json };
  }

  #patch(path: string, form: string, value: unknown): Promise<Reply> {
    return this.ask({ method: 'PATCH', path, type: `application/${form}+json`, text: JSON.stringify(value) });
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
