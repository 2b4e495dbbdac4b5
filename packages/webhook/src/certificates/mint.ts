import type { PemPair, Validity } from './pem-pair.ts';

// The library that makes certificates is loaded when one is made: that is a few times a year, and it takes 5 MB.
const library = () => import('./x509.ts');

/** Makes a certificate authority that signs itself. `name` becomes its common name; two authorities need two names. */
export async function mintAuthority(name: string, validity: Validity): Promise<PemPair> {
  return (await library()).mintAuthority(name, validity);
}

/** Makes a serving certificate for `names` (DNS names and IP addresses), signed by `authority`. */
export async function mintServing(names: readonly string[], authority: PemPair, validity: Validity): Promise<PemPair> {
  return (await library()).mintServing(names, authority, validity);
}
