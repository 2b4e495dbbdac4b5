import { ComposabilityRequest } from './composability-request.ts';
import { ComposableResource } from './composable-resource.ts';
import type { Decoded } from './decoded.ts';
import { decoderOf } from './decoder.ts';

/**
 * Parses a ComposabilityRequest as the API server returns it. The message of a malformed one names the JSON path, what
 * was found and what is accepted. Unknown fields pass. Fast enough for every watch event.
 */
export const parseComposabilityRequest: (value: unknown) => Decoded<ComposabilityRequest> =
  /* @__PURE__ */ decoderOf(ComposabilityRequest);

/** Parses a ComposableResource as the API server returns it; as `parseComposabilityRequest`. */
export const parseComposableResource: (value: unknown) => Decoded<ComposableResource> =
  /* @__PURE__ */ decoderOf(ComposableResource);
