import type { MemoryAttribute } from '@cro/node-device';
import { defaulted, variable } from './declare.ts';
import { NEC_VARIABLES } from './nec-variables.ts';
import { NODE_VARIABLES } from './node-variables.ts';
import type { WithoutFence } from '../../wiring/device-fence.ts';
import { PACKAGE_VARIABLES } from './package-variables.ts';
import { providerType } from './provider-type.ts';
import { SUNFISH_VARIABLES } from './sunfish-variables.ts';
import type { DeviceResourceType, DrainSetting, LogLevel } from './settings.ts';
import { authority, list, matching, memoryAttribute, oneOf, seconds, unlessFalse, wholeNumber } from './parsers.ts';

// The Go operator's own tests use ids of letters and digits in the shape of a UUID, so hexadecimal is not asked for.
const uuidLike = matching(/^[0-9A-Za-z]{8}(-[0-9A-Za-z]{4}){3}-[0-9A-Za-z]{12}$/);
const dnsLabel = matching(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
const dnsName = matching(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/);
const path = matching(/^\P{Cc}+$/u);

/** Every environment variable, once. `--help`, docs/settings.md and the parser read it from here. */
export const VARIABLES = {
  deviceResourceType: variable<DeviceResourceType>({
    name: 'DEVICE_RESOURCE_TYPE',
    meaning:
      "How the cluster sees GPUs: by ResourceSlices, or by the extended resources of NVIDIA's device plugin, which is restarted when one comes or goes. DEVICE_PLUGIN needs CRO_NODE_ACTIONS=nvidia, and with FTI_CDI a cluster id.",
    accepts: 'DRA or DEVICE_PLUGIN',
    parse: oneOf('DRA', 'DEVICE_PLUGIN'),
  }),
  providerType: variable({
    name: 'CDI_PROVIDER_TYPE',
    meaning: "The fabric's vendor interface, or the npm package of a provider that is not built in.",
    accepts: 'FTI_CDI, NEC, SUNFISH or npm:<package>, the name of an npm package without version or path',
    parse: providerType,
  }),
  ...PACKAGE_VARIABLES,
  ftiApiType: variable({
    name: 'FTI_CDI_API_TYPE',
    meaning: 'With FTI_CDI: which of its managers is asked.',
    accepts: 'FM or CM',
    parse: oneOf('FM', 'CM'),
  }),
  ftiEndpoint: variable({
    name: 'FTI_CDI_ENDPOINT',
    meaning: 'With FTI_CDI: where the managers and their id_manager answer, always over https.',
    accepts: 'host[:port][/], without https://',
    parse: authority,
  }),
  ftiTenantId: variable({
    name: 'FTI_CDI_TENANT_ID',
    meaning: 'With FTI_CDI: the tenant that owns the machines.',
    accepts: 'a UUID',
    parse: uuidLike,
  }),
  ftiClusterId: variable({
    name: 'FTI_CDI_CLUSTER_ID',
    meaning:
      "With FTI_CDI: the cluster. Set: a node's machine is found through its Machine and BareMetalHost. Not set: by its providerID, fsas-cdi://<machine uuid>. CM cannot do without.",
    accepts: 'a UUID, or nothing with FM',
    parse: uuidLike,
  }),
  ftiReadsAtOnce: defaulted({
    name: 'FTI_CDI_READS_AT_ONCE',
    meaning: 'With FTI_CDI: how many machines are read at once when all of them are listed, once a minute.',
    accepts: 'a whole number from 1 to 64',
    fallback: 8,
    parse: wholeNumber(1, 64),
  }),
  settleSeconds: defaulted({
    name: 'CRO_SETTLE_SECONDS',
    meaning:
      "How long a fabric call whose answer was lost may still take effect. Longer than the fabric's slowest call: 180 s for FM, minutes for a resize of CM. With NEC the default is 600, with SUNFISH 60.",
    accepts: 'whole seconds from 1 to 86400',
    fallback: 240,
    parse: seconds(1, 86_400),
  }),
  fabricCaFile: variable({
    name: 'CRO_FABRIC_CA_FILE',
    meaning: "PEM file of the CAs that sign the fabric's certificate. With it, no other CA is trusted for the fabric.",
    accepts: 'a path',
    parse: path,
  }),
  ...NEC_VARIABLES,
  ...SUNFISH_VARIABLES,
  sslCertFile: variable({
    name: 'SSL_CERT_FILE',
    meaning: 'PEM file of CAs that replaces the system store. NODE_EXTRA_CA_CERTS adds to the store instead.',
    accepts: 'a path',
    parse: path,
  }),
  enableWebhooks: defaulted({
    name: 'ENABLE_WEBHOOKS',
    meaning: 'Whether this process also serves the admission webhook.',
    accepts: '"false" switches it off, anything else leaves it on',
    fallback: true,
    parse: unlessFalse,
  }),
  webhookConfiguration: defaulted<string>({
    name: 'CRO_WEBHOOK_CONFIGURATION',
    meaning: 'Name of the ValidatingWebhookConfiguration into which the webhook writes its CA.',
    accepts: 'a name',
    fallback: 'composable-resource-operator-validating-webhook-configuration',
    parse: dnsName,
  }),
  webhookService: defaulted<string>({
    name: 'CRO_WEBHOOK_SERVICE',
    meaning: "Name of the webhook's Service. Its certificate is made out for it.",
    accepts: 'a name',
    fallback: 'composable-resource-operator-webhook-service',
    parse: dnsLabel,
  }),
  webhookNames: variable({
    name: 'CRO_WEBHOOK_NAMES',
    meaning: 'Further names that API servers call the webhook by, where they do not go through the Service.',
    accepts: 'DNS names and IP addresses with commas between them',
    parse: list(/^[0-9A-Za-z.:-]{1,253}$/),
  }),
  ...NODE_VARIABLES,
  namespace: defaulted({
    name: 'POD_NAMESPACE',
    meaning: "Namespace of the operator's Secret `credentials`, its lease and its events.",
    accepts: 'a namespace',
    fallback: 'composable-resource-operator-system',
    parse: dnsLabel,
  }),
  podName: variable({
    name: 'POD_NAME',
    meaning: 'Who holds the lease. Not set: the host name and a random part.',
    accepts: 'a pod name',
    parse: dnsName,
  }),
  memorySliceAttribute: variable<MemoryAttribute>({
    name: 'CRO_MEMORY_SLICE_ATTRIBUTE',
    meaning:
      'How attached CXL memory shows on its node: in ResourceSlices of this DRA driver, whose devices name their CXL id (GCXLID) in this string attribute. Not set: as the capacity of the node.',
    accepts: 'driver/attribute, as in cxl.example.com/gcxlid',
    parse: memoryAttribute,
  }),
  withoutFence: defaulted<WithoutFence>({
    name: 'CRO_WITHOUT_FENCE',
    meaning:
      'With DRA: what becomes of a device that is to leave where the cluster serves no DeviceTaintRule, or the operator may not write one, so that nothing keeps new pods from it. refuse: it stays until that is mended. continue: it leaves all the same.',
    accepts: 'refuse or continue',
    fallback: 'refuse',
    parse: oneOf('refuse', 'continue'),
  }),
  syncSeconds: defaulted({
    name: 'CRO_SYNC_SECONDS',
    meaning: 'How often the fabric is compared with the cluster.',
    accepts: 'whole seconds from 1 to 86400',
    fallback: 60,
    parse: seconds(1, 86_400),
  }),
  orphanGraceSeconds: defaulted({
    name: 'CRO_ORPHAN_GRACE_SECONDS',
    meaning: 'How long a device may be attached without an owner before it is given back.',
    accepts: 'whole seconds from 1 to 604800',
    fallback: 600,
    parse: seconds(1, 604_800),
  }),
  drain: defaulted<DrainSetting>({
    name: 'CRO_DRAIN',
    meaning:
      'Before another operator takes over: end open operations, start none. Ready when nothing is open; with once, the process then ends with exit code 0.',
    accepts: 'false, true or once',
    fallback: 'false',
    parse: oneOf('false', 'true', 'once'),
  }),
  stopSeconds: defaulted({
    name: 'CRO_STOP_SECONDS',
    meaning: "How long an orderly stop may take. Keep it below the pod's terminationGracePeriodSeconds.",
    accepts: 'whole seconds from 1 to 3600',
    fallback: 10,
    parse: seconds(1, 3600),
  }),
  logLevel: defaulted<LogLevel>({
    name: 'CRO_LOG_LEVEL',
    meaning: 'The least important log lines that are written.',
    accepts: 'error, warn, info or debug',
    fallback: 'info',
    parse: oneOf('error', 'warn', 'info', 'debug'),
  }),
} as const;
