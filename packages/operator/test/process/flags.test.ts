import { describe, expect, test } from 'vitest';
import { parseFlags } from '../../src/process/flags/parse-flags.ts';
import { containing, matching } from './text-matchers.ts';

const lease = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };
const parse = (...argv: string[]) => parseFlags(argv, { name: 'operator', version: '1.2.3' });

describe('flags', () => {
  test('without any, the defaults of the Go operator', () => {
    expect(parse()).toEqual({
      tag: 'ok',
      flags: {
        lease,
        metrics: undefined,
        metricsSecure: true,
        probes: { port: 8081 },
        webhook: { port: 9443 },
        printRbac: false,
      },
    });
  });

  test('the ways to write a flag are the same', () => {
    const expected = {
      tag: 'ok',
      flags: {
        lease,
        metrics: { host: '127.0.0.1', port: 8080 },
        metricsSecure: false,
        probes: undefined,
        webhook: { host: '::1', port: 443 },
        printRbac: false,
      },
    };
    const values = [
      ['metrics-bind-address', '127.0.0.1:8080'],
      ['metrics-secure', 'false'],
      ['health-probe-bind-address', '0'],
      ['webhook-bind-address', '[::1]:443'],
      ['leader-elect', 'true'],
    ] as const;
    expect(parse(...values.map(([name, value]) => `--${name}=${value}`))).toEqual(expected);
    expect(parse(...values.map(([name, value]) => `-${name}=${value}`))).toEqual(expected);
    expect(parse(...values.flatMap(([name, value]) => [`--${name}`, value]))).toEqual(expected);
  });

  test('a switch may stand alone', () => {
    expect(parse('--leader-elect', '--metrics-secure', '--enable-http2')).toMatchObject({
      flags: { metricsSecure: true },
    });
  });

  test('paths', () => {
    expect(parse('--webhook-cert-path=/a', '--metrics-cert-path=/b', '--kubeconfig=/c')).toMatchObject({
      flags: { webhookCertPath: '/a', metricsCertPath: '/b', kubeconfig: '/c' },
    });
  });

  test('the times of leader election, as client-go names them', () => {
    const times = ['lease-duration=4s', 'renew-deadline=2500ms', 'retry-period=500ms'];
    expect(parse(...times.map((time) => `--leader-elect-${time}`))).toMatchObject({
      flags: { lease: { leaseDurationMs: 4000, renewDeadlineMs: 2500, retryPeriodMs: 500 } },
    });
  });

  test('--help tells of every flag and variable, --version the version', () => {
    const help = parse('--help');
    expect(help).toMatchObject({ tag: 'print', text: containing('--metrics-bind-address') });
    expect(help).toMatchObject({ text: containing('CDI_PROVIDER_TYPE') });
    expect(parse('-h')).toEqual(help);
    expect(parse('--version')).toEqual({ tag: 'print', text: '1.2.3\n' });
  });

  test.each([
    [['--no-such-flag=1'], "unknown option '--no-such-flag=1'; see --help"],
    [['-no-such-flag'], "unknown option '--no-such-flag'; see --help"],
    [['--health-probe-bind-address'], /argument missing; see --help$/],
    [['serve'], /too many arguments.*serve; see --help$/],
    [['--metrics-secure=maybe'], "--metrics-secure is 'maybe'; accepted: true or false"],
    [['--metrics-bind-address=8080'], "--metrics-bind-address is '8080'; accepted: host:port, :port or 0"],
    [['--metrics-bind-address=:99999'], "--metrics-bind-address is ':99999'; accepted: host:port, :port or 0"],
    [
      ['--webhook-bind-address=0'],
      '--webhook-bind-address cannot be 0; ENABLE_WEBHOOKS=false switches the webhook off',
    ],
    [
      ['--leader-elect-lease-duration=15'],
      "--leader-elect-lease-duration is '15'; accepted: a number with ms, s, m or h behind it",
    ],
    [
      ['--leader-elect-lease-duration=1500ms', '--leader-elect-renew-deadline=1s'],
      '--leader-elect-lease-duration is 1500ms; accepted: whole seconds from 1',
    ],
    [
      ['--leader-elect-lease-duration=10s'],
      '--leader-elect-renew-deadline is 10000ms; accepted: less than --leader-elect-lease-duration (10000ms)',
    ],
    [
      ['--leader-elect-retry-period=9s'],
      '--leader-elect-retry-period is 9000ms; accepted: above 0 and, times 1.2, less than --leader-elect-renew-deadline (10000ms)',
    ],
    [['--bad\nflag'], "unknown option '--bad flag'; see --help"],
  ])('%j is told in one line', (argv, line) => {
    const outcome = parse(...argv);
    expect(outcome).toEqual({
      tag: 'invalid',
      problems: [typeof line === 'string' ? line : matching(line)],
    });
  });
});
