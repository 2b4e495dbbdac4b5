import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve, type ServeOptions, type SimRequest, type SimResponse } from '@cro/fabric-sim';
import { onTestFinished } from 'vitest';

export type Handler = (request: SimRequest, signal: AbortSignal) => SimResponse | Promise<SimResponse>;

/** An HTTPS server on a free port, with its CA in a file of a new folder. All of it goes when the test is over. */
export async function startServer(handler: Handler, options: ServeOptions = {}) {
  const served = await serve({ handle: async (request, signal) => handler(request, signal) }, options);
  const folder = await tempFolder();
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= served.close());
  onTestFinished(close);
  return { ...served, close, folder, caFile: await fileIn(folder, 'ca.pem', served.caPem) };
}

export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cdi-core-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

export async function fileIn(folder: string, name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): SimResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** A signal that nobody aborts. */
export const never: AbortSignal = new AbortController().signal;
