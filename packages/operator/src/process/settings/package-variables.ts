import { variable } from './declare.ts';
import { matching } from './parsers.ts';

const path = matching(/^\P{Cc}+$/u);

/** The variables of a provider that comes as a package of its own. */
export const PACKAGE_VARIABLES = {
  providerPath: variable({
    name: 'CDI_PROVIDER_PATH',
    meaning:
      "With npm:<package>: a mounted folder that has the package in its node_modules, or is the package's own. Not set: node_modules beside the program.",
    accepts: 'a path',
    parse: path,
  }),
  providerConfig: variable({
    name: 'CDI_PROVIDER_CONFIG',
    meaning:
      "With npm:<package>: a file, as from a ConfigMap, with the provider's configuration in YAML or JSON. What it accepts is the package's to say; a field marked as secret is the name and the key of a Secret in the operator's namespace. Read at start. Not set: an empty configuration.",
    accepts: 'a path',
    parse: path,
  }),
} as const;
