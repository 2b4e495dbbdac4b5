import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mintAuthority, mintServing } from '../src/certificates/mint.ts';
import { certificateNameProblem } from '../src/certificates/names.ts';
import { certificatesOf, keyFits } from '../src/certificates/pem-pair.ts';
import { factsOf, readStore, storeData } from '../src/certificates/secret-contents.ts';

const validity = { notBefore: Date.UTC(2026, 0, 1), notAfter: Date.UTC(2026, 3, 1) };
const names = ['webhook.system.svc', '10.0.0.1', 'fd00::1'];

async function mint() {
  const authority = await mintAuthority('authority 1', validity);
  const older = await mintAuthority('authority 0', validity);
  return { authority, older, serving: await mintServing(names, authority, validity) };
}

test('a serving certificate is signed by its authority, for its names, and cannot sign', async () => {
  const { authority, older, serving } = await mint();
  const [issuer, other, leaf] = certificatesOf(authority.certificate + older.certificate + serving.certificate);
  if (issuer === undefined || other === undefined || leaf === undefined) throw new Error('a certificate is missing');
  expect(leaf.x509.checkIssued(issuer.x509) && leaf.x509.verify(issuer.x509.publicKey)).toBe(true);
  expect(leaf.x509.verify(other.x509.publicKey)).toBe(false);
  expect(issuer.x509.ca).toBe(true);
  expect(leaf.x509.ca).toBe(false);
  expect(leaf.x509.checkHost('webhook.system.svc')).toBe('webhook.system.svc');
  expect(leaf.x509.checkHost('webhook.other.svc')).toBeUndefined();
  expect(leaf.x509.checkIP('10.0.0.1')).toBe('10.0.0.1');
  expect(leaf.x509.checkIP('fd00::1')).toBe('fd00::1');
  expect({ notBefore: leaf.notBefore, notAfter: leaf.notAfter }).toEqual(validity);
  expect(keyFits(leaf, serving.key)).toBe(true);
  expect(keyFits(leaf, authority.key)).toBe(false);
});

describe('the Secret', () => {
  test('is read as it was written', async () => {
    const { authority, older, serving } = await mint();
    const outcome = readStore(storeData([authority.certificate, older.certificate], authority.key, serving));
    if (outcome.tag === 'malformed') throw new Error(outcome.problem);
    const { store } = outcome;
    expect(store.newest.pem).toBe(authority.certificate);
    expect(store.older.map(({ pem }) => pem)).toEqual([older.certificate]);
    expect(store.issuer).toBe(store.newest);
    expect(factsOf(store, names)).toMatchObject({ tag: 'present', serving: { coversNames: true } });
    expect(factsOf(store, [...names, 'new.system.svc'])).toMatchObject({ serving: { coversNames: false } });
  });

  test('says which key of it cannot be used, and nothing of what is in it', async () => {
    const { authority, older, serving } = await mint();
    const data = storeData([authority.certificate, older.certificate], authority.key, serving);
    const foreign = storeData([older.certificate], older.key, serving);
    const garbage = Buffer.from('garbage').toString('base64');
    const cases: [Record<string, string>, string][] = [
      [{}, 'ca.crt: found no certificate'],
      [{ ...data, 'ca.crt': garbage }, 'ca.crt: found no certificate'],
      [{ ...data, 'ca.key': garbage }, 'ca.key: is not the private key of the first certificate of ca.crt'],
      [{ ...data, 'ca.key': foreign['ca.key'] ?? '' }, 'ca.key: is not the private key'],
      [{ ...data, 'tls.crt': '' }, 'tls.crt: found no certificate'],
      [{ ...data, 'tls.key': data['ca.key'] ?? '' }, 'tls.key: is not the private key of tls.crt'],
      [foreign, 'tls.crt: is not signed by any certificate of ca.crt'],
    ];
    for (const [wrong, problem] of cases) {
      const outcome = readStore(wrong);
      expect(outcome.tag === 'malformed' ? outcome.problem : '').toContain(problem);
    }
  });
});

test('law: a certificate covers every name that is accepted', async () => {
  const authority = await mintAuthority('authority', validity);
  const name = fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6(), fc.constant('localhost'));
  await fc.assert(
    fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 20 }), async (wanted) => {
      fc.pre(certificateNameProblem(wanted) === undefined);
      const serving = await mintServing(wanted, authority, validity);
      const outcome = readStore(storeData([authority.certificate], authority.key, serving));
      if (outcome.tag === 'malformed') throw new Error(outcome.problem);
      expect(factsOf(outcome.store, wanted)).toMatchObject({ serving: { coversNames: true } });
    }),
    { numRuns: 30 },
  );
});

test('a name that no certificate could have is refused', () => {
  expect(certificateNameProblem(['webhook.system.svc', '10.0.0.1', 'fd00::1'])).toBeUndefined();
  const accepted = 'accepted: DNS names and IP addresses';
  expect(certificateNameProblem([])).toBe(`certificate names: found none, ${accepted}`);
  for (const wrong of [
    '',
    'host.',
    '*.svc',
    'a_b',
    'a b',
    'a/b',
    '-a',
    'x'.repeat(64),
    Array(64).fill('abcd').join('.'),
  ]) {
    expect(certificateNameProblem(['webhook', wrong])).toBe(`certificate names: found "${wrong}", ${accepted}`);
  }
});
