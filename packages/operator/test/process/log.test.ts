import { VirtualClock } from '@cro/clock/testing';
import fc from 'fast-check';
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createLog, withFields } from '../../src/process/log/log.ts';
import { secretRegistry } from '../../src/process/log/secret-registry.ts';
import type { LogLevel } from '../../src/process/settings/settings.ts';
import { containing } from './text-matchers.ts';

function collecting(level: LogLevel = 'debug') {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const secrets = secretRegistry();
  const log = createLog({ level, clock: new VirtualClock(Date.UTC(2026, 1, 3)), secrets, stream });
  const lines = () => text.split('\n').filter((line) => line !== '');
  return {
    log,
    secrets,
    text: () => text,
    lines,
    parsed: (): unknown[] => lines().map((line): unknown => JSON.parse(line)),
  };
}

describe('a log line', () => {
  test('is one JSON object with the fields beside the message', () => {
    const { log, parsed } = collecting();
    log.info('attached', { device: 'GPU-1', took: 12, nested: { a: [1, null] } });
    expect(parsed()).toEqual([
      {
        time: '2026-02-03T00:00:00.000Z',
        level: 'info',
        message: 'attached',
        device: 'GPU-1',
        took: 12,
        nested: { a: [1, null] },
      },
    ]);
  });

  test('is written from its level on', () => {
    const { log, parsed } = collecting('warn');
    log.debug('a');
    log.info('b');
    log.warn('c');
    log.error('d');
    expect(parsed()).toMatchObject([{ message: 'c' }, { message: 'd' }]);
  });

  test('does not let a field take the place of its own keys', () => {
    const { log, parsed } = collecting();
    log.info('real', { message: 'false', level: 'error', time: 'never' });
    expect(parsed()).toMatchObject([
      { message: 'real', level: 'info', _message: 'false', _level: 'error', _time: 'never' },
    ]);
  });

  test('carries common fields', () => {
    const { log, parsed } = collecting();
    withFields(log, { reconcileId: 'r1', step: 0 }).warn('x', { step: 1 });
    expect(parsed()).toMatchObject([{ level: 'warn', reconcileId: 'r1', step: 1 }]);
  });

  test('carries errors with their causes and codes', () => {
    const { log, parsed } = collecting();
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    log.error('failed', { error: new Error('no answer', { cause }), all: new AggregateError([cause], 'all') });
    expect(parsed()).toMatchObject([
      {
        error: {
          name: 'Error',
          message: 'no answer',
          stack: containing('no answer'),
          cause: { message: 'refused', code: 'ECONNREFUSED' },
        },
        all: { message: 'all', errors: [{ message: 'refused' }] },
      },
    ]);
  });

  test('survives what JSON cannot hold', () => {
    const { log, parsed } = collecting();
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    log.info('odd', {
      circle,
      big: 10n,
      call: () => 1,
      bytes: new Uint8Array(3),
      map: new Map([['a', 1]]),
      set: new Set([1]),
      date: new Date(0),
    });
    expect(parsed()).toMatchObject([
      {
        circle: { self: '[circular]' },
        big: '10',
        call: '[function]',
        bytes: '[3 bytes]',
        map: { a: 1 },
        set: [1],
        date: '1970-01-01T00:00:00.000Z',
      },
    ]);
  });

  test('cuts what is too long', () => {
    const { log, text } = collecting();
    log.info('x'.repeat(1_000_000), { list: Array.from({ length: 10_000 }, (_, i) => i) });
    expect(text().length).toBeLessThan(10_000);
  });

  test('ends only where it should, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (message, value) => {
        const { log, text, lines, parsed } = collecting();
        log.info(message, { value });
        expect(lines()).toHaveLength(1);
        expect(text().slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
        expect(parsed()).toMatchObject([{ message, value }]);
      }),
    );
  });

  test('shows what would turn a text around, or not be seen', () => {
    const { log, text, parsed } = collecting();
    const message = 'GPU\u202e-1\u200b\u{e0041}';
    log.info(message);
    expect(text()).toContain('GPU\\u202e-1\\u200b\\udb40\\udc41"');
    expect(parsed()).toMatchObject([{ message }]);
  });
});

describe('secrets', () => {
  test('are redacted by the name of their field', () => {
    const { log, text, parsed } = collecting();
    log.info('login', {
      password: 'hunter2',
      client_secret: 'hunter2',
      headers: { Authorization: 'Bearer hunter2' },
      accessToken: { jwt: 'hunter2' },
      tokenCalls: 3,
      secretName: 'credentials',
      token: '',
    });
    expect(text()).not.toContain('hunter2');
    expect(parsed()).toMatchObject([{ password: '[redacted]', tokenCalls: 3, secretName: 'credentials', token: '' }]);
  });

  test('are redacted wherever their value stands', () => {
    const { log, secrets, text } = collecting();
    secrets.add('s3cr&t/value');
    const error = new Error('bad s3cr&t/value');
    log.error('s3cr&t/value in the message', {
      error,
      url: `https://x/?p=${encodeURIComponent('s3cr&t/value')}`,
      basic: Buffer.from('s3cr&t/value').toString('base64'),
      's3cr&t/value': 1,
    });
    expect(text()).not.toContain('s3cr&t');
    expect(text()).not.toContain('s3cr%26t');
    expect(text()).not.toContain(Buffer.from('s3cr&t/value').toString('base64'));
  });

  test('stay redacted where one is part of another, and short ones only as a whole', () => {
    const secrets = secretRegistry();
    secrets.add('abcd');
    secrets.add('abcdefgh');
    secrets.add('x');
    expect(secrets.redact('<abcdefgh>')).toBe('<[redacted]>');
    expect(secrets.redact('x')).toBe('[redacted]');
    expect(secrets.redact('text')).toBe('text');
  });
});
