/** What came of parsing a foreign value: the typed object, or a text that says where it is wrong. */
export type Decoded<T> =
  { readonly tag: 'ok'; readonly object: T } | { readonly tag: 'malformed'; readonly message: string };
