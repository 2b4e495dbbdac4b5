import type { Scripts } from './objects.ts';
import { builtin } from './scripts/builtin.ts';
import { creating } from './scripts/creating.ts';
import { deleting } from './scripts/deleting.ts';
import { discovery } from './scripts/discovery.ts';
import { forms } from './scripts/forms.ts';
import { http } from './scripts/http.ts';
import { listing } from './scripts/listing.ts';
import { patching } from './scripts/patching.ts';
import { updating } from './scripts/updating.ts';
import { validating } from './scripts/validating.ts';
import { watching } from './scripts/watching.ts';

/** All that is compared, by what it is about. */
export const SCRIPTS: Scripts = {
  ...creating,
  ...validating,
  ...updating,
  ...patching,
  ...deleting,
  ...listing,
  ...watching,
  ...forms,
  ...builtin,
  ...http,
  ...discovery,
};
