import { Agent as PlainAgent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { readTrust, stampOf, type TrustSource } from './trust.ts';

interface Trusted {
  readonly stamp: string;
  readonly agent: TlsAgent;
}

/**
 * How long an idle connection is kept, in milliseconds: below the 5 s after which Node's and Apache's servers close one, the shortest of those that are
 * widely used. A call that meets that moment is in doubt, and holds up its machine for the settle window.
 */
const IDLE_MS = 4_000;

/**
 * The connections of a process. They are not limited in number: an attach holds one for minutes, and a read must not wait behind
 * it. How many changes are in flight is the business of the operator's lanes. There is one keep-alive pool for each set of trusted CAs, made anew when its files change. */
export class Agents {
  readonly plain: PlainAgent;
  readonly #env: TrustSource['env'];
  readonly #idleMs: number;
  readonly #trusted = new Map<string, Promise<Trusted>>();
  readonly #looks = new Map<string, Promise<string>>();

  constructor(env: TrustSource['env'], idleMs = IDLE_MS) {
    this.#env = env;
    this.#idleMs = idleMs;
    // A call that is under way is not ended by this, however long the other side is silent.
    this.plain = new PlainAgent({ keepAlive: true, timeout: idleMs });
  }

  /** The pool that trusts `caFile`, or the defaults. Rejects with a `SendError` when a file cannot be used. */
  async tls(caFile: string | undefined): Promise<TlsAgent> {
    const key = caFile ?? '';
    const source = { caFile, env: this.#env };
    const stamp = await this.#look(key, source);
    const known = this.#trusted.get(key);
    const present = await known?.catch(() => undefined);
    if (present?.stamp === stamp) return present.agent;
    // Somebody else may have replaced it while this call waited.
    if (this.#trusted.get(key) !== known) return this.tls(caFile);
    const made = open(source, stamp, this.#idleMs);
    this.#trusted.set(key, made);
    retire(present?.agent);
    return (await made).agent;
  }

  /** Looks whether the files have changed. Calls that come meanwhile share the look: there may be hundreds at once. */
  #look(key: string, source: TrustSource): Promise<string> {
    const present = this.#looks.get(key);
    if (present !== undefined) return present;
    const look = stampOf(source).finally(() => this.#looks.delete(key));
    this.#looks.set(key, look);
    return look;
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    this.plain.destroy();
    for (const trusted of this.#trusted.values()) (await trusted.catch(() => undefined))?.agent.destroy();
    this.#trusted.clear();
  }
}

async function open(source: TrustSource, stamp: string, idleMs: number): Promise<Trusted> {
  const secureContext = await readTrust(source);
  const agent = new TlsAgent({
    keepAlive: true,
    timeout: idleMs,
    secureContext,
    // Said aloud, so that NODE_TLS_REJECT_UNAUTHORIZED=0 cannot switch it off.
    rejectUnauthorized: true,
  });
  return { stamp, agent };
}

/** Lets calls in flight end, and keeps no connection that trusted the old CAs. */
function retire(agent: TlsAgent | undefined): void {
  if (agent === undefined) return;
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) sockets?.forEach((socket) => socket.destroy());
}
