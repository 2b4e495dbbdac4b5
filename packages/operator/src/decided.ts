import type { ComposabilityRequest, ComposableResource } from '@cro/crd-types';
import type {
  RequestDecision,
  RequestKnowledge,
  RequestOutcome,
  ResourceDecision,
  ResourceKnowledge,
  ResourceOutcome,
} from '@cro/state-machines';

/** One decision of a machine with all that it was made on: what a trace keeps, so that later releases can be held against it. */
export type Decided =
  | {
      readonly kind: 'resource';
      readonly object: ComposableResource;
      readonly known: ResourceKnowledge;
      readonly outcome?: ResourceOutcome;
      readonly row: string;
      readonly decision: ResourceDecision;
    }
  | {
      readonly kind: 'request';
      readonly object: ComposabilityRequest;
      readonly children: readonly ComposableResource[];
      readonly known: RequestKnowledge;
      readonly outcome?: RequestOutcome;
      readonly row: string;
      readonly decision: RequestDecision;
    };

/** The decision on a request, as it is told. */
export function decidedOn(
  {
    request: object,
    children,
    known,
  }: {
    readonly request: ComposabilityRequest;
    readonly children: readonly ComposableResource[];
    readonly known: RequestKnowledge;
  },
  outcome: RequestOutcome | undefined,
  step: { readonly row: string; readonly decision: RequestDecision },
): Decided {
  return { kind: 'request', object, children, known, ...(outcome && { outcome }), ...step };
}
