import { parseJson } from '../core/decode.ts';
import { headerOf, type Reply, type SimRequest } from '../core/http.ts';
import { redfishError } from './errors.ts';
import { ROOT } from './uris.ts';

/** Who may come in. `token`: a bearer token that is taken, too. */
export interface RedfishCredentials {
  readonly username: string;
  readonly password: string;
  readonly token?: string;
}

/** Where sessions are made. */
export const SESSIONS = `${ROOT}/SessionService/Sessions`;

/** Basic authentication, sessions and a bearer token. */
export class Gate {
  readonly #credentials: RedfishCredentials | undefined;
  readonly #sessions = new Map<string, string>();
  readonly #random: () => number;

  constructor(credentials: RedfishCredentials | undefined, random: () => number) {
    this.#credentials = credentials;
    this.#random = random;
  }

  /** Why a request is not let in, if it is not. The root is open to all. */
  refuse(request: SimRequest): Reply | undefined {
    if (this.#credentials === undefined) return undefined;
    const { username, password, token } = this.#credentials;
    const header = headerOf(request, 'authorization') ?? '';
    const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const isBearer = token !== undefined && header === `Bearer ${token}`;
    const isSession = [...this.#sessions.values()].includes(headerOf(request, 'x-auth-token') ?? '');
    return header === basic || isBearer || isSession ? undefined : denied();
  }

  /** POST of a session: answers its token. */
  open(request: SimRequest): Reply {
    const parsed = parseJson(request.body ?? '');
    const body: unknown = parsed.tag === 'value' ? parsed.value : undefined;
    const given = this.#credentials;
    const matches =
      given !== undefined &&
      typeof body === 'object' &&
      body !== null &&
      Reflect.get(body, 'UserName') === given.username &&
      Reflect.get(body, 'Password') === given.password;
    if (!matches) return denied();
    const token = Math.floor(this.#random() * 2 ** 52)
      .toString(16)
      .padStart(16, '0');
    const uri = `${SESSIONS}/${this.#sessions.size + 1}`;
    this.#sessions.set(uri, token);
    const headers = { 'x-auth-token': token, location: uri };
    return { tag: 'json', status: 201, body: { '@odata.id': uri, UserName: given.username }, headers };
  }

  /** Ends every session, as a restarted service would. */
  revoke(): void {
    this.#sessions.clear();
  }
}

function denied(): Reply {
  return redfishError(
    401,
    'Base.1.18.NoValidSession',
    'There is no valid session established with the implementation.',
  );
}
