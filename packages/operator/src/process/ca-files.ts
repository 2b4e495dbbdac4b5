import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { problemOf } from './problem-of.ts';
import type { Settings } from './settings/settings.ts';

/**
 * What is wrong with the CA files that the settings name, one line each: a wrong one is told at start and not at the
 * first call. The files are read again by whoever uses them.
 */
export function caFileProblems({
  provider,
  sslCertFile,
}: Pick<Settings, 'provider' | 'sslCertFile'>): readonly string[] {
  const { caFile } = provider.name === 'npm' ? provider : provider.config;
  return [...problemsOf('CRO_FABRIC_CA_FILE', caFile), ...problemsOf('SSL_CERT_FILE', sslCertFile)];
}

function problemsOf(variable: string, file: string | undefined): readonly string[] {
  if (file === undefined) return [];
  const problem = problemIn(file);
  return problem === undefined ? [] : [`the env variable ${variable} names '${file}': ${problem}`];
}

function problemIn(file: string): string | undefined {
  try {
    const blocks = readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
    if (blocks === null) return 'it holds no PEM certificate';
    for (const pem of blocks) new X509Certificate(pem);
    return undefined;
  } catch (error) {
    return problemOf(error);
  }
}
