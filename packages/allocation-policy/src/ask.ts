import type { DeviceType, NodeRequirements, ScalarResourceDetails } from '@cro/crd-types';
import type { Policy } from './types.ts';

/** What a request asks for, with the defaults of its schema filled in. */
export interface Ask {
  readonly requestName: string;
  readonly type: DeviceType;
  readonly model: string;
  readonly size: number;
  readonly policy: Policy;
  readonly forceDetach: boolean;
  /** `undefined`: any node will do. */
  readonly target: string | undefined;
  readonly requirements: NodeRequirements;
}

/** Reads `spec.resource`. An empty `target_node` means none, as in Go, where the field's zero value is the empty string. */
export function askOf(requestName: string, resource: ScalarResourceDetails): Ask {
  return {
    requestName,
    type: resource.type,
    model: resource.model,
    size: resource.size,
    policy: resource.allocation_policy ?? 'samenode',
    forceDetach: resource.force_detach ?? false,
    target: resource.target_node === '' ? undefined : resource.target_node,
    requirements: resource.other_spec ?? {},
  };
}
