import type { SecretRef } from '@cro/cdi-core';

/** How to sign in. `session` asks for a token of the session service, `bearer` shows one that stands in a Secret. */
export type AuthMethod = 'none' | 'basic' | 'session' | 'bearer';

/** How devices are attached. `auto`: as the service offers it for each system. */
export type AttachMethod = 'auto' | 'resourceBlocks' | 'connections';

/** A kind of CXL memory that may be asked for by its name. */
export interface MemoryModel {
  /** Size of one chunk, in MiB. A memory domain may make it a little more. */
  readonly sizeMiB: number;
}

/** Configuration of a Redfish composition service or a Sunfish server, as {@link configSchema} accepts it. */
export interface SunfishConfig {
  /** `http[s]://host[:port]`. */
  readonly endpoint: string;
  readonly auth: AuthMethod;
  /** Where user name and password (`basic`, `session`) or token (`bearer`) are kept. */
  readonly credentials?: {
    readonly username?: SecretRef;
    readonly password?: SecretRef;
    readonly token?: SecretRef;
  };
  /** PEM file with the CAs of the endpoint, in place of the default ones. */
  readonly caFile?: string;
  readonly attachMethod: AttachMethod;
  /** What a request of type `cxlmemory` may name as its model. */
  readonly memoryModels: Readonly<Record<string, MemoryModel>>;
  /** How long a lost call may still take effect, in seconds. */
  readonly settleSeconds: number;
}

const text = { type: 'string', minLength: 1, maxLength: 1024 };
const secret = {
  type: 'object',
  'x-cro-secret': true,
  required: ['name', 'key'],
  additionalProperties: false,
  properties: { name: text, key: text },
};

/** Asks for these credentials with a method, and for an endpoint that does not show them to everybody. */
function needs(methods: readonly AuthMethod[], keys: readonly string[]): Record<string, unknown> {
  return {
    if: { required: ['auth'], properties: { auth: { enum: methods } } },
    then: {
      required: ['credentials'],
      properties: {
        credentials: { required: keys },
        endpoint: { pattern: '^https://', description: 'credentials are sent over https only' },
      },
    },
  };
}

/** JSON Schema of {@link SunfishConfig}. */
export const configSchema: Readonly<Record<string, unknown>> = {
  type: 'object',
  required: ['endpoint', 'auth', 'attachMethod', 'memoryModels', 'settleSeconds'],
  additionalProperties: false,
  properties: {
    endpoint: {
      type: 'string',
      pattern: '^https?://(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?$',
      description: 'http[s]://host[:port]',
    },
    auth: { enum: ['none', 'basic', 'session', 'bearer'], default: 'none' },
    credentials: {
      type: 'object',
      additionalProperties: false,
      properties: { username: secret, password: secret, token: secret },
    },
    caFile: text,
    attachMethod: { enum: ['auto', 'resourceBlocks', 'connections'], default: 'auto' },
    memoryModels: {
      type: 'object',
      default: {},
      additionalProperties: {
        type: 'object',
        required: ['sizeMiB'],
        additionalProperties: false,
        properties: { sizeMiB: { type: 'integer', minimum: 1, maximum: 1_073_741_824 } },
      },
    },
    settleSeconds: { type: 'number', minimum: 0, maximum: 86_400, default: 60 },
  },
  allOf: [needs(['basic', 'session'], ['username', 'password']), needs(['bearer'], ['token'])],
};
