import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { SendError } from './send-error.ts';

/** Where trusted certificates come from. */
export interface TrustSource {
  /** A PEM file that replaces every default: only its CAs are trusted. */
  readonly caFile?: string | undefined;
  /** SSL_CERT_FILE replaces the system's store; NODE_EXTRA_CA_CERTS is added to either. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Says whether the files behind a trust changed: name, time, size and inode of each. A mounted Secret or ConfigMap is
 * swapped by a symbolic link, so inode and time move together.
 */
export async function stampOf(source: TrustSource): Promise<string> {
  const stamps = filesOf(source).map(async (file) => {
    const { mtimeMs, size, ino } = await stat(file).catch((error: unknown) => {
      throw unusable(file, error);
    });
    return `${file}:${mtimeMs}:${size}:${ino}`;
  });
  return (await Promise.all(stamps)).join('|');
}

/** Reads the trusted certificates. Rejects with a {@link SendError} that names the file when one cannot be used. */
export async function readTrust(source: TrustSource): Promise<SecureContext> {
  const files = await Promise.all(filesOf(source).map(certificatesIn));
  const named = source.caFile !== undefined || nonEmpty(source.env['SSL_CERT_FILE']);
  // Images without a system store still have the list that Node ships with.
  const system = named ? [] : getCACertificates('system');
  const base = named || system.length > 0 ? system : getCACertificates('bundled');
  return createSecureContext({ ca: [...new Set([...base, ...files.flat()])] });
}

function filesOf({ caFile, env }: TrustSource): string[] {
  if (caFile !== undefined) return [caFile];
  return [env['SSL_CERT_FILE'], env['NODE_EXTRA_CA_CERTS']].filter(nonEmpty);
}

function nonEmpty(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

async function certificatesIn(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unusable(file, error);
  });
  const blocks =
    text.match(/-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]+-----END (?:TRUSTED )?CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw unusable(file, new Error('it holds no PEM certificate'));
  for (const [index, block] of blocks.entries()) {
    try {
      new X509Certificate(block);
    } catch {
      throw unusable(file, new Error(`its certificate number ${index + 1} cannot be read`));
    }
  }
  return blocks;
}

function unusable(file: string, error: unknown): SendError {
  const reason = error instanceof Error ? error.message : 'it cannot be read';
  return new SendError('trust', false, `the file of trusted CAs ${file} cannot be used: ${reason}`, error);
}
