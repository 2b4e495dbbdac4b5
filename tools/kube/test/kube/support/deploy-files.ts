import { readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

/** What the repository ships for clusters. */
export const DEPLOY = new URL('../../../../../deploy/', import.meta.url);

/** A Kubernetes object as a file has it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** One object of a file, with its text. */
export interface Shipped {
  /** The file, its kind and its name, for a person. */
  readonly title: string;
  readonly manifest: Manifest;
  readonly text: string;
}

/** All objects below a folder of deploy/, but for what only kustomize reads. */
export function shippedIn(folder: string): readonly Shipped[] {
  const files = readdirSync(new URL(folder, DEPLOY), { recursive: true, encoding: 'utf8' });
  const manifests = files.filter((name) => name.endsWith('.yaml') && !name.endsWith('kustomization.yaml'));
  return manifests.sort().flatMap((name) => objectsOf(`${folder}${name}`));
}

function objectsOf(file: string): readonly Shipped[] {
  return parseAllDocuments(readFileSync(new URL(file, DEPLOY), 'utf8')).map((document) => {
    const manifest = document.toJS() as Manifest;
    const { kind, metadata } = manifest;
    return { title: `${file}: ${kind} ${metadata.name}`, manifest, text: document.toString() };
  });
}

/** Where the API server has an object. */
export function pathOf({ apiVersion, kind, metadata: { name, namespace } }: Manifest): string {
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return `${group}${scope}/${kind.toLowerCase()}s/${name}`;
}
