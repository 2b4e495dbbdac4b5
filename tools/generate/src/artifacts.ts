import { crds } from '@cro/crd-types/crd';
import { settingsMarkdown } from '@cro/operator';
import type { Artifact } from './artifact.ts';
import { manifestYaml } from './manifest-yaml.ts';
import { rbacArtifacts } from './rbac/manifests.ts';
import { statesPage } from './states-page.ts';

/** Every generated file. To generate one more, add it here. */
export const artifacts: readonly Artifact[] = [
  ...crds.map((crd) => ({
    path: `deploy/crd/${crd.spec.group}_${crd.spec.names.plural}.yaml`,
    content: () => manifestYaml(crd, 'packages/crd-types'),
  })),
  ...rbacArtifacts,
  { path: 'docs/states.md', content: statesPage },
  { path: 'docs/settings.md', content: settingsMarkdown },
];
