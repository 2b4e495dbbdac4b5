/** Where a server listens. No host: on every address. */
export interface ListenAddress {
  readonly host?: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

/** `off` is the Go operator's `0`. */
export type ParsedAddress =
  { readonly tag: 'listen'; readonly address: ListenAddress } | { readonly tag: 'off' } | { readonly tag: 'invalid' };

/** Reads Go's `host:port`, `:port` and `[v6]:port`; `0` and nothing at all switch the server off. */
export function parseListenAddress(text: string): ParsedAddress {
  if (text === '0' || text === '') return { tag: 'off' };
  const [, bracketed, plain, digits = ''] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:\s[\]]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535) return { tag: 'invalid' };
  const host = bracketed ?? plain ?? '';
  return { tag: 'listen', address: host === '' ? { port } : { host, port } };
}
