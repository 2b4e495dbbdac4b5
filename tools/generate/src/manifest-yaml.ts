import { stringify } from 'yaml';

/** A Kubernetes manifest as YAML, keys sorted, with a note of where it comes from. */
export function manifestYaml(manifest: object, source: string): string {
  // kubectl reads YAML 1.1, where a bare `on` or `yes` is a boolean; repeated parts are written out, not referred to.
  const body = stringify(manifest, {
    schema: 'yaml-1.1',
    sortMapEntries: true,
    aliasDuplicateObjects: false,
    lineWidth: 120,
  });
  return `# Generated from ${source} by \`npm run generate\`. Do not edit.\n${body}`;
}
