import { CREDENTIAL_KEYS, type CredentialRefs } from '@cro/cdi-core';

/** Configuration of a Fabric Manager, and what a Cluster Manager's has in common with it, as {@link configSchema} accepts it. */
export interface FtiConfig {
  /** `host[:port][/]`, always HTTPS: FTI_CDI_ENDPOINT. */
  readonly endpoint: string;
  /** UUID of the tenant: FTI_CDI_TENANT_ID. */
  readonly tenantId: string;
  /** UUID of the cluster: FTI_CDI_CLUSTER_ID. Absent: nodes are found by their providerID. */
  readonly clusterId?: string;
  /** Where username, password, client_id, client_secret and realm are kept. */
  readonly credentials: CredentialRefs;
  /** PEM file with the CAs of the endpoint, in place of the default ones. */
  readonly caFile?: string;
  /** How long a lost call may still take effect, in seconds. */
  readonly settleSeconds: number;
  /** How many machines are read at once for a listing: 8 unless given. */
  readonly readsAtOnce?: number;
}

/** Configuration of a Cluster Manager: it is asked about the machines of one cluster. */
export interface CmConfig extends FtiConfig {
  readonly clusterId: string;
}

/** Reads at once unless told otherwise: enough to keep a minute's sweep short, few enough not to crowd out attaches. */
export const READS_AT_ONCE = 8;

const text = { type: 'string', minLength: 1, maxLength: 1024 };
const REQUIRED = ['endpoint', 'tenantId', 'credentials', 'settleSeconds'];
const uuid = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$' };

function secretKey(key: string): Record<string, unknown> {
  return {
    type: 'object',
    'x-cro-secret': true,
    required: ['name', 'key'],
    additionalProperties: false,
    properties: { name: text, key: text },
    default: { name: 'credentials', key },
  };
}

/**
 * JSON Schema of {@link FtiConfig}. `credentials` defaults to the Secret `credentials`, as in the Go operator, and `settleSeconds` to
 * 240: the Fabric Manager's slowest call takes 180 s.
 */
export const configSchema: Readonly<Record<string, unknown>> = {
  type: 'object',
  required: REQUIRED,
  additionalProperties: false,
  properties: {
    endpoint: {
      type: 'string',
      pattern: '^(?:[A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?/?$',
      description: 'host[:port][/], without https://',
    },
    tenantId: uuid,
    clusterId: uuid,
    credentials: {
      type: 'object',
      additionalProperties: false,
      required: [...CREDENTIAL_KEYS],
      properties: Object.fromEntries(CREDENTIAL_KEYS.map((key) => [key, secretKey(key)])),
      default: {},
    },
    caFile: text,
    settleSeconds: { type: 'number', minimum: 0, maximum: 86_400, default: 240 },
    readsAtOnce: { type: 'integer', minimum: 1, maximum: 64, default: READS_AT_ONCE },
  },
};

/** JSON Schema of {@link CmConfig}. */
export const cmConfigSchema: Readonly<Record<string, unknown>> = {
  ...configSchema,
  required: [...REQUIRED, 'clusterId'],
};

/** `https://host:port/` of the configured endpoint. */
export function baseUrl(config: Pick<FtiConfig, 'endpoint'>): string {
  return `https://${config.endpoint.replace(/\/$/, '')}/`;
}
