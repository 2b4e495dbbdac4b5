import type { JsonObject } from '../base/json.ts';

/** What a write came to. */
export interface Written {
  /** HTTP status. */
  readonly code: 200 | 201;
  readonly object: JsonObject;
  readonly warnings: readonly string[];
}
