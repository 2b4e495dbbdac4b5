import {
  createFabricSim,
  createNecSim,
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
  /** What stands in the Secret `credentials`, where the fabric asks for it. */
  readonly credentials: Readonly<Record<string, string>> | undefined;
  /** The operator's environment, once the fabric listens. */
  readonly env: (served: Pick<Served, 'url' | 'endpoint'>) => Readonly<Record<string, string>>;
}

type Make = (options: FabricSimOptions) => FabricParts;

/** The fabrics that a world can be made of. */
const FABRICS = {
  fm: (options) => {
    const sim = createFabricSim(options);
    const { username, password, clientId, clientSecret, realm } = sim.credentials;
    return {
      sim,
      attachMethod: 'PATCH',
      asynchronous: false,
      credentials: { username, password, client_id: clientId, client_secret: clientSecret, realm },
      env: ({ endpoint }) => ({
        CDI_PROVIDER_TYPE: 'FTI_CDI',
        FTI_CDI_API_TYPE: 'FM',
        FTI_CDI_ENDPOINT: endpoint,
        FTI_CDI_TENANT_ID: options.tenant,
      }),
    };
  },
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
} satisfies Readonly<Record<string, Make>>;

/** A fabric's short name: `fm`, `nec`. */
export type FabricName = keyof typeof FABRICS;

/** The names, for a help text. */
export const FABRIC_NAMES = Object.keys(FABRICS);

/** Whether a word names a fabric. */
export function isFabricName(word: string): word is FabricName {
  return Object.hasOwn(FABRICS, word);
}

/** Makes a fabric. Nothing listens yet. */
export function makeFabric(name: FabricName, options: FabricSimOptions): FabricParts {
  return FABRICS[name](options);
}
