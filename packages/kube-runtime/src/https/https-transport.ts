import type { IncomingMessage } from 'node:http';
import { Agent, request as sendRequest } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts';
import { sameConnection, type Credentials, type CredentialSource } from './credentials.ts';
import { explain } from './explain.ts';

/** What an https transport needs. */
export interface HttpsTransportOptions {
  /** The server's URL; a path in it stands before every request's path. */
  readonly server: URL;
  readonly credentials: CredentialSource;
}

/** What a WebSocket is opened with, so that it uses the connections and credentials of a transport. */
export interface Upgrade {
  /** `wss://...` */
  readonly url: URL;
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
  /** The server answered 401: credentials are read anew before the next request. */
  refused(): void;
}

/** Below the 90 s after which the API server closes an idle connection: a request must not meet that moment. */
const IDLE_MS = 45_000;

/** TCP's own probing, for peers that vanished. */
const PROBE_AFTER_MS = 30_000;

/** Watches hold a connection each; the rest is for requests. */
const MAX_CONNECTIONS = 128;
/** As many as busy controllers use at a time: with fewer, a burst closes connections between two requests and opens new ones. */
const MAX_IDLE_CONNECTIONS = 64;

/**
 * A transport over TLS. Connections are kept and shared: a new one costs about ten times a request. The server's
 * certificate is always checked. When certificates change, new requests use new connections, and the old ones run out.
 */
export class HttpsTransport implements Transport {
  readonly host: string;
  readonly #options: HttpsTransportOptions;
  #agent: Agent | undefined;
  #agentCredentials: Credentials | undefined;

  constructor(options: HttpsTransportOptions) {
    this.#options = options;
    this.host = options.server.host;
  }

  async send(request: TransportRequest, signal: AbortSignal): Promise<TransportResponse> {
    signal.throwIfAborted();
    const { credentials } = this.#options;
    const present = await credentials.current();
    const message = await this.#exchange(request, present, this.#agentFor(present), signal);
    const status = message.statusCode ?? 0;
    if (status === 401) credentials.refused();
    return { status, headers: flatten(message), body: message };
  }

  /** Prepares the upgrade of a connection at `path`, which starts with `/`, holds the query and is escaped. */
  async upgrade(path: string): Promise<Upgrade> {
    const { server, credentials } = this.#options;
    const present = await credentials.current();
    const url = new URL(server.pathname.replace(/\/$/, '') + path, server);
    url.protocol = 'wss:';
    const refused = () => {
      credentials.refused();
    };
    return { url, agent: this.#agentFor(present), headers: present.headers, refused };
  }

  /** Another one to the same server with the same credentials, and connections of its own: what it sends waits for nobody here. */
  apart(): HttpsTransport {
    return new HttpsTransport(this.#options);
  }

  /** Ends every connection. */
  close(): void {
    this.#agent?.destroy();
    this.#agent = undefined;
  }

  #exchange(
    { method, path, headers, body }: TransportRequest,
    credentials: Credentials,
    agent: Agent,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const { server } = this.#options;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    return new Promise((resolve, reject) => {
      const sent = sendRequest({
        agent,
        host: hostOf(server),
        port: server.port === '' ? 443 : Number(server.port),
        method,
        path: server.pathname.replace(/\/$/, '') + path,
        headers: { ...headers, ...credentials.headers, ...length },
        signal,
      });
      sent.once('response', resolve);
      // Stays after the response: an error that comes then is the body's, which reports it to its reader.
      sent.on('error', (error) => {
        reject(signal.aborted && signal.reason instanceof Error ? signal.reason : explain(error, server));
      });
      sent.end(body);
    });
  }

  #agentFor(credentials: Credentials): Agent {
    const same = this.#agentCredentials !== undefined && sameConnection(this.#agentCredentials, credentials);
    if (this.#agent !== undefined && same) return this.#agent;
    if (this.#agent !== undefined) retire(this.#agent);
    const { ca, cert, key, servername } = credentials;
    this.#agent = new Agent({
      // Made once: to parse the certificates again for each connection costs more than the rest of the handshake.
      secureContext: createSecureContext({ ca, cert, key }),
      servername,
      rejectUnauthorized: true,
      keepAlive: true,
      keepAliveMsecs: PROBE_AFTER_MS,
      timeout: IDLE_MS,
      maxSockets: MAX_CONNECTIONS,
      maxFreeSockets: MAX_IDLE_CONNECTIONS,
    });
    this.#agentCredentials = credentials;
    return this.#agent;
  }
}

/** Closes what is idle now, and what becomes idle later; requests that are under way go on. */
function retire(agent: Agent): void {
  agent.maxFreeSockets = 0;
  for (const socket of Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? [])) socket.destroy();
}

/** The host without the brackets of an IPv6 address. */
function hostOf(server: URL): string {
  return server.hostname.replace(/^\[(.*)\]$/, '$1');
}

function flatten(message: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}
