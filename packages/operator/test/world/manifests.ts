import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

const FOLDER = new URL('../../../../deploy/crd/', import.meta.url);

/** The CustomResourceDefinitions that are deployed. */
export function crdManifests(): object[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .map((name): object => parse(readFileSync(new URL(name, FOLDER), 'utf8')));
}
