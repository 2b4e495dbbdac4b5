import { isPackageName } from '@cro/cdi-core';
import type { Parsed } from './variable.ts';

/** A built-in provider by its vendor's interface, or a package. */
export type ProviderType =
  | { readonly tag: 'FTI_CDI' | 'NEC' | 'SUNFISH' }
  /** `name`: of an npm package, with its scope if it has one. */
  | { readonly tag: 'npm'; readonly name: string };

const PREFIX = 'npm:';

/** Reads CDI_PROVIDER_TYPE. */
export function providerType(text: string): Parsed<ProviderType> {
  switch (text) {
    case 'FTI_CDI':
    case 'NEC':
    case 'SUNFISH':
      return { tag: 'ok', value: { tag: text } };
    default: {
      const name = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : '';
      return isPackageName(name) ? { tag: 'ok', value: { tag: 'npm', name } } : { tag: 'invalid' };
    }
  }
}
