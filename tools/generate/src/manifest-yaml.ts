import { stringify } from 'yaml';

/** Several manifests in one file. */
export function manifestsYaml(manifests: readonly object[], source: string): string {
  return `${noteOf(source)}${manifests.map(bodyOf).join('---\n')}`;
}

/** A Kubernetes manifest as YAML, keys sorted, with a note of where it comes from. */
export function manifestYaml(manifest: object, source: string): string {
  return `${noteOf(source)}${bodyOf(manifest)}`;
}

function noteOf(source: string): string {
  return `# Generated from ${source} by \`npm run generate\`. Do not edit.\n`;
}

function bodyOf(manifest: object): string {
  // kubectl reads YAML 1.1, where a bare `on` or `yes` is a boolean; repeated parts are written out, not referred to.
  return stringify(manifest, {
    schema: 'yaml-1.1',
    sortMapEntries: true,
    aliasDuplicateObjects: false,
    lineWidth: 120,
  });
}
