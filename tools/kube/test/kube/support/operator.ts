import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startProgram, type Program } from '../../../src/index.ts';

/** Where an operator finds the world. */
export interface OperatorPlace {
  readonly kubeconfigPath: string;
  readonly endpoint: string;
  readonly caPath: string;
  readonly tenant: string;
  readonly namespace: string;
  readonly webhookPort: number;
  readonly logPath: string;
  /** What it does on nodes when a device comes or goes. */
  readonly nodeActions: 'nvidia' | 'none';
  /** Environment variables and flags on top of these. */
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

const BUILT = fileURLToPath(new URL('../../../../../apps/operator/dist/main.js', import.meta.url));

/** Starts the built operator in a process of its own, with nothing of this one's environment but the PATH. */
export function startOperator(place: OperatorPlace): Promise<Program> {
  if (!existsSync(BUILT))
    throw new Error(`there is no ${BUILT}: build it first, with "npx nx build @cro/operator-app"`);
  const env = {
    PATH: process.env['PATH'],
    KUBECONFIG: place.kubeconfigPath,
    DEVICE_RESOURCE_TYPE: 'DRA',
    CRO_NODE_ACTIONS: place.nodeActions,
    CDI_PROVIDER_TYPE: 'FTI_CDI',
    FTI_CDI_API_TYPE: 'FM',
    FTI_CDI_ENDPOINT: place.endpoint,
    FTI_CDI_TENANT_ID: place.tenant,
    CRO_FABRIC_CA_FILE: place.caPath,
    POD_NAMESPACE: place.namespace,
    CRO_WEBHOOK_NAMES: '127.0.0.1',
    // Short, so that a time of rest has several sweeps in it, and a lost call is settled while the test waits.
    CRO_SYNC_SECONDS: '3',
    CRO_SETTLE_SECONDS: '5',
    ...place.env,
  };
  const own = [`--webhook-bind-address=127.0.0.1:${place.webhookPort}`, '--health-probe-bind-address=0'];
  const args = [BUILT, ...own, ...(place.flags ?? [])];
  return startProgram({ name: 'operator', path: process.execPath, args, env, logPath: place.logPath });
}
