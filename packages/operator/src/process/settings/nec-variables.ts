import type { SecretRef } from '@cro/cdi-core';
import type { Dialect } from '@cro/cdi-nec';
import { defaulted, variable } from './declare.ts';
import { list, matching, oneOf, seconds } from './parsers.ts';
import type { Parsed } from './variable.ts';

const url = matching(/^https?:\/\/(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:\/[A-Za-z0-9._~-]+)*\/?$/);
const host = matching(/^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])$/);
const port = matching(/^[0-9]{1,5}$/);
const URL_WORDS = 'http[s]://host[:port][/path], without user, query or fragment';

/** The variables of NEC's CDIM: those of the Go operator, and what they do not say. */
export const NEC_VARIABLES = {
  necIp: variable({
    name: 'NEC_CDIM_IP',
    meaning:
      'With NEC: where the services of CDIM answer, over http, below /cdim/api/v1. The URLs below say more and win.',
    accepts: 'an address or a host name',
    parse: host,
  }),
  necLayoutApplyPort: variable({
    name: 'LAYOUT_APPLY_PORT',
    meaning: 'With NEC_CDIM_IP: port of layout-apply.',
    accepts: 'a port',
    parse: port,
  }),
  necConfigurationManagerPort: variable({
    name: 'CONFIGURATION_MANAGER_PORT',
    meaning: 'With NEC_CDIM_IP: port of configuration-manager.',
    accepts: 'a port',
    parse: port,
  }),
  necLayoutApplyUrl: variable({
    name: 'CRO_NEC_LAYOUT_APPLY_URL',
    meaning: 'With NEC: base URL of layout-apply, with its path: https://cdim.example/cdim/api/v1.',
    accepts: URL_WORDS,
    parse: url,
  }),
  necConfigurationManagerUrl: variable({
    name: 'CRO_NEC_CONFIGURATION_MANAGER_URL',
    meaning: 'With NEC: base URL of configuration-manager.',
    accepts: URL_WORDS,
    parse: url,
  }),
  necHwControlUrl: variable({
    name: 'CRO_NEC_HW_CONTROL_URL',
    meaning: 'With NEC: base URL of hw-control, which shows at once what configuration-manager shows minutes later.',
    accepts: URL_WORDS,
    parse: url,
  }),
  necExporterUrl: variable({
    name: 'CRO_NEC_EXPORTER_URL',
    meaning: 'With NEC: base URL of configuration-exporter, which is asked for a synchronisation after each change.',
    accepts: URL_WORDS,
    parse: url,
  }),
  necTokenSecret: variable<SecretRef>({
    name: 'CRO_NEC_TOKEN_SECRET',
    meaning:
      "With NEC: the bearer token for CDIM's gateway: which Secret of the operator's namespace, and which key of it.",
    accepts: 'secret/key',
    parse: secretKey,
  }),
  necDialect: variable<Dialect>({
    name: 'CRO_NEC_DIALECT',
    meaning: 'With NEC: the wire format; auto takes the product where CDIM has fabric adapters.',
    accepts: 'auto, oss or product; not set: auto',
    parse: oneOf('auto', 'oss', 'product'),
  }),
  necResourceGroups: variable({
    name: 'CRO_NEC_RESOURCE_GROUPS',
    meaning: 'With NEC: take devices from these resource groups only.',
    accepts: 'ids of groups with commas between them',
    parse: list(/^[A-Za-z0-9][A-Za-z0-9._:@-]{0,255}$/),
  }),
  necNodes: variable<Readonly<Record<string, string>>>({
    name: 'CRO_NEC_NODES',
    meaning:
      'With NEC: the CDIM node of Kubernetes nodes that say it neither by the annotation cohdi.io/cdim-node-id nor by their providerID.',
    accepts: 'node=id with commas between them',
    parse: pairs,
  }),
  necStuckSeconds: defaulted({
    name: 'CRO_NEC_STUCK_SECONDS',
    meaning: 'With NEC: an apply of the operator that is IN_PROGRESS for longer is told as stuck.',
    accepts: 'whole seconds from 1 to 86400',
    fallback: 1_800,
    parse: seconds(1, 86_400),
  }),
  necCancelStuck: defaulted({
    name: 'CRO_NEC_CANCEL_STUCK',
    meaning: "With NEC: cancel a stuck apply of the operator; otherwise that is a person's business.",
    accepts: 'true or false',
    fallback: 'false',
    parse: oneOf('true', 'false'),
  }),
  necViewLagSeconds: defaulted({
    name: 'CRO_NEC_VIEW_LAG_SECONDS',
    meaning: 'With NEC: how long configuration-manager may lag behind before a person is told.',
    accepts: 'whole seconds from 1 to 86400',
    fallback: 600,
    parse: seconds(1, 86_400),
  }),
  necProvisionalGpuUuid: variable({
    name: 'NEC_PROVISIONAL_GPU_UUID',
    meaning:
      'With NEC: UUID of the one GPU of a laboratory. Not set, as it should be: each GPU is identified on its node. Refused where CDIM has more than one GPU.',
    accepts: 'a UUID, with or without GPU- in front',
    parse: matching(/^(?:GPU-)?[0-9A-Za-z-]{1,64}$/),
  }),
} as const;

function secretKey(text: string): Parsed<SecretRef> {
  const match = /^([a-z0-9][a-z0-9.-]{0,252})\/([-._a-zA-Z0-9]{1,253})$/.exec(text);
  const name = match?.[1];
  const key = match?.[2];
  return name === undefined || key === undefined ? { tag: 'invalid' } : { tag: 'ok', value: { name, key } };
}

function pairs(text: string): Parsed<Readonly<Record<string, string>>> {
  const value: Record<string, string> = {};
  for (const item of text.split(',')) {
    const match = /^([a-z0-9][a-z0-9.-]*)=([A-Za-z0-9][A-Za-z0-9._:@-]{0,255})$/.exec(item.trim());
    const node = match?.[1];
    const id = match?.[2];
    if (node === undefined || id === undefined) return { tag: 'invalid' };
    value[node] = id;
  }
  return { tag: 'ok', value };
}
