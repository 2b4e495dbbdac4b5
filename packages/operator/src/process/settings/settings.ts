import type { MemoryAttribute } from '@cro/node-device';
import type { CmConfig, FtiConfig } from '@cro/cdi-fti';
import type { NecConfig } from '@cro/cdi-nec';
import type { WithoutFence } from '../../wiring/device-fence.ts';
import type { SunfishConfig } from '@cro/cdi-sunfish';

/** How much is logged: `debug` is everything. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** Whether the operator drains, and with `once` ends when it has. */
export type DrainSetting = 'false' | 'true' | 'once';

/** How the cluster sees GPUs: by the ResourceSlices of a DRA driver, or as the extended resources of a device plugin. */
export type DeviceResourceType = 'DRA' | 'DEVICE_PLUGIN';

/** What is done on nodes when a device comes or goes. */
export type NodeActionsSetting = 'nvidia' | 'none';

/** How the API server reaches the webhook, and whom it asks about it. */
export interface WebhookSettings {
  /** Name of the ValidatingWebhookConfiguration whose caBundle is kept right. */
  readonly configuration: string;
  /** Name of the Service in the operator's namespace. */
  readonly service: string;
  /** Further DNS names and IP addresses that the certificate has to be good for. */
  readonly names: readonly string[];
}

/** What every process of this project reads, the admission server alone too. */
export interface CommonSettings {
  /** Namespace of the Secrets, the lease and the ConfigMap of the syncer. */
  readonly namespace: string;
  /** Name of the pod, when it is known. */
  readonly podName?: string;
  readonly webhook: WebhookSettings;
  /** Longest orderly stop. */
  readonly stopSeconds: number;
  readonly logLevel: LogLevel;
}

/** A provider that comes as an npm package. */
export interface PackageSettings {
  readonly name: 'npm';
  readonly packageName: string;
  /** Where it is mounted. Absent: beside the program. */
  readonly path?: string;
  /** A YAML or JSON file with its configuration. Absent: that is empty. */
  readonly configFile?: string;
  /** PEM file of the CAs that its calls trust. */
  readonly caFile?: string;
}

/** The fabric's provider, by its name, and its configuration. */
export type BuiltInSettings =
  | { readonly name: 'fti-fm'; readonly config: FtiConfig }
  | { readonly name: 'fti-cm'; readonly config: CmConfig }
  | { readonly name: 'nec-cdim'; readonly config: NecConfig }
  | { readonly name: 'sunfish'; readonly config: SunfishConfig };

/** What is to serve the fabric. */
export type ProviderSettings = BuiltInSettings | PackageSettings;

/** Everything that the environment decides for the operator. */
export interface Settings extends CommonSettings {
  readonly provider: ProviderSettings;
  /** How the cluster sees GPUs. */
  readonly deviceResourceType: DeviceResourceType;
  /** Serve the admission webhook in this process. */
  readonly webhooks: boolean;
  readonly nodeActions: NodeActionsSetting;
  readonly gpuOperatorNamespace: string;
  readonly draDriverNamespace: string;
  /** The DRA drivers whose ResourceSlices say which GPUs nodes have. */
  readonly draDrivers: readonly string[];
  readonly publishWaitSeconds: number;
  /** Commands on nodes at one time. */
  readonly nodeCommandsAtOnce: number;
  /** What becomes of a device that leaves where there can be no fence. */
  readonly withoutFence: WithoutFence;
  /** The DRA driver that publishes attached memory; absent: it shows as capacity of its node. */
  readonly memory?: MemoryAttribute;
  readonly syncSeconds: number;
  readonly orphanGraceSeconds: number;
  readonly drain: DrainSetting;
  /** PEM file that replaces the system's CAs. */
  readonly sslCertFile?: string;
}

/** The settings, or one line for each thing that is wrong. */
export type ParsedSettings<T> =
  { readonly tag: 'ok'; readonly settings: T } | { readonly tag: 'invalid'; readonly problems: readonly string[] };
/** The operator's settings, or what is wrong. */
export type SettingsOutcome = ParsedSettings<Settings>;
