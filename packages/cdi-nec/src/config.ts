import type { SecretRef } from '@cro/cdi-core';

/** Which of NEC's wire formats is spoken; `auto` finds out. */
export type Dialect = 'auto' | 'oss' | 'product';

/** Configuration of a CDIM, as {@link configSchema} accepts it. */
export interface NecConfig {
  /** Base URL of configuration-manager: `http://cdim:8280/cdim/api/v1`. */
  readonly configurationManager: string;
  /** Base URL of layout-apply: `http://cdim:8013/cdim/api/v1`. */
  readonly layoutApply: string;
  /** Base URL of hw-control, which knows at once what configuration-manager shows later. Absent: it is not asked. */
  readonly hwControl?: string;
  /** Base URL of configuration-exporter: a synchronisation is asked for after each change. Absent: none is. */
  readonly exporter?: string;
  /** Where the bearer token for the gateway is kept. Absent: none is sent. */
  readonly token?: SecretRef;
  /** PEM file with the CAs of these URLs, in place of the default ones. */
  readonly caFile?: string;
  readonly dialect: Dialect;
  /** Devices are taken from these resource groups only. Absent: from all. */
  readonly resourceGroups?: readonly string[];
  /** The CDIM node of a Kubernetes node, by its name, where neither annotation nor providerID says it. */
  readonly nodes?: Readonly<Record<string, string>>;
  /** How long configuration-manager may show what was, in seconds, before a person is told. */
  readonly viewLagSeconds: number;
  /** An apply of ours that is IN_PROGRESS for longer is told as stuck. In seconds. */
  readonly stuckSeconds: number;
  /** Cancel an apply of ours that is stuck: needed where layout-apply's worker dies and nobody is there to do it. */
  readonly cancelStuck: boolean;
  /** UUID of the one GPU of a laboratory: what the node calls it is then not looked for. */
  readonly provisionalGpuUuid?: string;
  /** How long an operation of unclear end may still take effect or be shown, in seconds. */
  readonly settleSeconds: number;
}

const text = { type: 'string', minLength: 1, maxLength: 1024 };
const id = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._:@-]{0,255}$' };
const url = {
  type: 'string',
  maxLength: 1024,
  pattern: '^https?://(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~-]+)*/?$',
  description: 'http[s]://host[:port][/path], without query, user or fragment',
};
const seconds = (fallback: number) => ({ type: 'number', minimum: 0, maximum: 86_400, default: fallback });

/** JSON Schema of {@link NecConfig}. */
export const configSchema: Readonly<Record<string, unknown>> = {
  type: 'object',
  required: ['configurationManager', 'layoutApply'],
  additionalProperties: false,
  properties: {
    configurationManager: url,
    layoutApply: url,
    hwControl: url,
    exporter: url,
    token: {
      type: 'object',
      'x-cro-secret': true,
      required: ['name', 'key'],
      additionalProperties: false,
      properties: { name: text, key: text },
    },
    caFile: text,
    dialect: { enum: ['auto', 'oss', 'product'], default: 'auto' },
    resourceGroups: { type: 'array', minItems: 1, items: id },
    nodes: { type: 'object', additionalProperties: id },
    viewLagSeconds: seconds(600),
    stuckSeconds: seconds(1_800),
    cancelStuck: { type: 'boolean', default: false },
    provisionalGpuUuid: { type: 'string', pattern: '^(?:GPU-)?[0-9A-Za-z-]{1,64}$' },
    settleSeconds: seconds(600),
  },
};
