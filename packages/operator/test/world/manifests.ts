import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

const FOLDER = new URL('../../../../deploy/crd/', import.meta.url);

/** The CustomResourceDefinitions that are deployed. */
export function crdManifests(): object[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .map((name) => {
      const manifest: unknown = parse(readFileSync(new URL(name, FOLDER), 'utf8'));
      if (typeof manifest !== 'object' || manifest === null) throw new Error(`${name} is no manifest`);
      return manifest;
    });
}
