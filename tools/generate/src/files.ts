import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Artifact } from './artifact.ts';

/** The paths of those artifacts whose file below `root` is missing or says something else. */
export function stalePaths(artifacts: readonly Artifact[], root: string): readonly string[] {
  return artifacts.filter(({ path, content }) => readText(join(root, path)) !== content()).map(({ path }) => path);
}

/** Writes the artifacts that are stale, and answers their paths. */
export function writeArtifacts(artifacts: readonly Artifact[], root: string): readonly string[] {
  const stale = stalePaths(artifacts, root);
  for (const { path, content } of artifacts) {
    if (!stale.includes(path)) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content());
  }
  return stale;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
