import { cleanText, isFabricId, redact } from '@cro/cdi-core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

describe('cleanText', () => {
  test('one line, printable, without times', () => {
    const text = 'failed\r\n\u001b[31m at 2026-11-29T17:43:37.123Z,\u202e then\t2026-11-29 17:43:37+09:00';
    expect(cleanText(text)).toBe('failed [31m at <time>, then <time>');
  });

  test('whatever comes in, what comes out is bounded, on one line, and clean already', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), fc.integer({ min: 1, max: 300 }), (text, max) => {
        const clean = cleanText(text, max);
        expect([...clean].length).toBeLessThanOrEqual(max);
        expect(clean).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      }),
    );
  });
});

describe('redact', () => {
  test.each([
    ['{"password":"hunter2","x":1}', '{"password":"[redacted]","x":1}'],
    ['{"refresh_token": "abc"}', '{"refresh_token": "[redacted]"}'],
    [
      'grant_type=password&client_secret=s3cret&scope=openid',
      'grant_type=password&client_secret=[redacted]&scope=openid',
    ],
    ['Authorization: Bearer abc.def-ghi', 'Authorization: Bearer [redacted]'],
    ['token eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjF9.c2ln refused', 'token [redacted] refused'],
    ['composition-service.cro-system.svc', 'composition-service.cro-system.svc'],
  ])('%s', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  test('a given secret does not survive, however it is written', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4, maxLength: 40 }), (secret) => {
        for (const written of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
          fc.pre(!'<> [redacted]'.includes(written));
          expect(redact(`<${written}>`, [secret])).not.toContain(written);
        }
      }),
    );
  });
});

test.each([
  ['00000000-5000-4000-8000-000000000000', true],
  ['GPU-device00-uuid', true],
  ['..', false],
  ['.', false],
  ['', false],
  ['a/b', false],
  ['a?b', false],
  ['a%2fb', false],
  ['a\nb', false],
  ['a'.repeat(257), false],
])('isFabricId(%j) is %s', (id, expected) => {
  expect(isFabricId(id)).toBe(expected);
});
