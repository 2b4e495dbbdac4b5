import { CommanderError } from 'commander';
import { parseListenAddress, type ListenAddress } from '../listen-address.ts';
import { printable } from '../printable.ts';
import { command, type ProgramInfo } from './command.ts';
import { DECLARED_FLAGS } from './declared-flags.ts';
import type { FlagsOutcome } from './flags.ts';
import { leaseTimes } from './lease-times.ts';

/** Reads the arguments that follow the script's name. Takes Go's ways to write a flag: `-flag`, `-flag=value`. */
export function parseFlags(argv: readonly string[], program: ProgramInfo): FlagsOutcome {
  let printed = '';
  const parser = command(program, (text) => {
    printed += text;
  });
  try {
    parser.parse(argv.map(longFlag), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { tag: 'print', text: printed };
    return { tag: 'invalid', problems: [`${oneLine(error.message).replace(/\.$/, '')}; see --help`] };
  }
  return valuesOf((name) => parser.getOptionValue(camelCase(name)));
}

function valuesOf(read: (name: string) => unknown): FlagsOutcome {
  const problems: string[] = [];
  const address = (name: string): ListenAddress | undefined => {
    const text = String(read(name));
    const parsed = parseListenAddress(text);
    if (parsed.tag === 'invalid') problems.push(`--${name} is '${printable(text)}'; accepted: host:port, :port or 0`);
    return parsed.tag === 'listen' ? parsed.address : undefined;
  };
  const isOn = (name: string): boolean => {
    // A switch without a value is `true` to commander.
    const text = String(read(name));
    if (text !== 'true' && text !== 'false')
      problems.push(`--${name} is '${printable(text)}'; accepted: true or false`);
    return text === 'true';
  };
  const path = (name: string): string | undefined => {
    const text = read(name);
    return typeof text === 'string' ? text : undefined;
  };
  for (const { kind, name } of DECLARED_FLAGS) if (kind === 'switch') isOn(name);
  const lease = leaseTimes(
    (name) => printable(String(read(name))),
    (line) => problems.push(line),
  );
  const others = problems.length;
  const metricsCertPath = path('metrics-cert-path');
  const webhookCertPath = path('webhook-cert-path');
  const kubeconfig = path('kubeconfig');
  const metrics = address('metrics-bind-address');
  const probes = address('health-probe-bind-address');
  const webhook = address('webhook-bind-address');
  if (webhook === undefined && problems.length === others) {
    problems.push('--webhook-bind-address cannot be 0; ENABLE_WEBHOOKS=false switches the webhook off');
  }
  if (webhook === undefined || lease === undefined || problems.length > 0) return { tag: 'invalid', problems };
  return {
    tag: 'ok',
    flags: {
      lease,
      metrics,
      metricsSecure: isOn('metrics-secure'),
      ...(metricsCertPath === undefined ? {} : { metricsCertPath }),
      probes,
      webhook,
      printRbac: isOn('print-rbac'),
      ...(webhookCertPath === undefined ? {} : { webhookCertPath }),
      ...(kubeconfig === undefined ? {} : { kubeconfig }),
    },
  };
}

/** `-flag` to `--flag`. A single letter stays: `-h`. */
function longFlag(argument: string): string {
  return /^-[a-z][a-z0-9]+/.test(argument) ? `-${argument}` : argument;
}

function camelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function oneLine(text: string): string {
  return printable(text.replace(/^error: /, '').replace(/\s*\n\s*/g, ' '));
}
