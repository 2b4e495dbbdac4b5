import { isFabricId, type SecretRef } from '@cro/cdi-core';

/** What the file that CDI_PROVIDER_CONFIG names has to hold. */
export interface Config {
  /** Where the fabric answers, without a slash at the end. */
  readonly endpoint: string;
  /** Where the bearer token is: a key of a Secret in the operator's namespace. */
  readonly token: SecretRef;
  /** The machine of each node, where it is not called like the node. */
  readonly machines: Readonly<Record<string, string>>;
}

/** JSON Schema (draft-07) of {@link Config}. The operator refuses to start with anything else. */
export const configSchema = {
  type: 'object',
  required: ['endpoint', 'token'],
  additionalProperties: false,
  properties: {
    endpoint: { type: 'string', pattern: '^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?$' },
    // Marked: the operator watches that Secret, and `host.secret` has what stands in it now.
    token: { 'x-cro-secret': true },
    machines: { type: 'object', additionalProperties: { type: 'string' }, default: {} },
  },
};

/** The machine of a node. What is no id must not get into a URL. */
export function machineOf({ machines }: Config, node: string): string | undefined {
  const machine = machines[node] ?? node;
  return isFabricId(machine) ? machine : undefined;
}
