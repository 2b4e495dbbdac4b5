import {
  createFabricSim,
  createNecSim,
  createSunfishSim,
  type FabricCore,
  type FabricSimOptions,
  type Hands,
  type Served,
} from '@cro/fabric-sim';

/** A fabric, and what an operator has to be told to use it. */
export interface FabricParts {
  readonly sim: FabricCore & Hands;
  /** Method of the request that asks for an attach. */
  readonly attachMethod: string;
  /** The answer to such a request comes before the work, and not after it. */
  readonly asynchronous: boolean;
  /** Nodes are found along their Machines and BareMetalHosts, and not by themselves. */
  readonly byChain?: true;
  /** CXL memory that it has a pool of: what a request calls a piece of it. */
  readonly memoryModel?: string;
  /** What stands in the Secret `credentials`, where the fabric asks for it. */
  readonly credentials: Readonly<Record<string, string>> | undefined;
  /** The operator's environment, once the fabric listens. */
  readonly env: (served: Pick<Served, 'url' | 'endpoint'>) => Readonly<Record<string, string>>;
}

/** Makes a fabric. Nothing listens yet. */
export type MakeFabric = (options: FabricSimOptions) => FabricParts;

/** Both managers of one fabric, of which the operator asks one. */
function fti(
  options: FabricSimOptions,
  api: 'FM' | 'CM',
  manner: Pick<FabricParts, 'attachMethod' | 'asynchronous' | 'byChain'>,
): FabricParts {
  const sim = createFabricSim(options);
  const { username, password, clientId, clientSecret, realm } = sim.credentials;
  return {
    ...manner,
    sim,
    credentials: { username, password, client_id: clientId, client_secret: clientSecret, realm },
    env: ({ endpoint }) => ({
      CDI_PROVIDER_TYPE: 'FTI_CDI',
      FTI_CDI_API_TYPE: api,
      FTI_CDI_ENDPOINT: endpoint,
      FTI_CDI_TENANT_ID: options.tenant,
      ...(api === 'CM' ? { FTI_CDI_CLUSTER_ID: sim.cluster } : {}),
    }),
  };
}

/** A pool of CXL memory. */
const MEMORY = { id: '1', sizeMiB: 65_536 };

/** The fabrics that a world can be made of. */
const FABRICS = {
  fm: (options) => fti(options, 'FM', { attachMethod: 'PATCH', asynchronous: false }),
  cm: (options) => fti(options, 'CM', { attachMethod: 'POST', asynchronous: true, byChain: true }),
  nec: ({ clock, random, devices, machines, attachMs = 0, detachMs = 0 }) => ({
    sim: createNecSim({ clock, random, devices, machines, attachMs, detachMs }),
    attachMethod: 'POST',
    asynchronous: true,
    credentials: undefined,
    env: ({ url }) => ({
      CDI_PROVIDER_TYPE: 'NEC',
      CRO_NEC_CONFIGURATION_MANAGER_URL: `${url}/cdim/api/v1`,
      CRO_NEC_LAYOUT_APPLY_URL: `${url}/cdim/api/v1`,
    }),
  }),
  sunfish: ({ clock, random, devices, machines, attachMs = 0, detachMs = 0 }) => ({
    sim: createSunfishSim({ clock, random, devices, machines, memory: [MEMORY], attachMs, detachMs }),
    attachMethod: 'PATCH',
    asynchronous: false,
    memoryModel: 'cxl-4g',
    credentials: undefined,
    env: ({ url }) => ({
      CDI_PROVIDER_TYPE: 'SUNFISH',
      SUNFISH_ENDPOINT: url,
      CRO_SUNFISH_MEMORY_MODELS: 'cxl-4g=4096',
    }),
  }),
} satisfies Readonly<Record<string, MakeFabric>>;

/** A fabric's short name: `fm`, `cm`, `nec`, `sunfish`. */
export type FabricName = keyof typeof FABRICS;

/** The names, for a help text. */
export const FABRIC_NAMES = Object.keys(FABRICS);

/** Whether a word names a fabric. */
export function isFabricName(word: string): word is FabricName {
  return Object.hasOwn(FABRICS, word);
}

/** Makes a fabric by its name. */
export function makeFabric(name: FabricName, options: FabricSimOptions): FabricParts {
  return FABRICS[name](options);
}
