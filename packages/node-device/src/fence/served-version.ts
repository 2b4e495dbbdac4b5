/** Versions of DeviceTaintRule that this operator can write, the best first. */
const KNOWN = ['v1', 'v1beta2', 'v1alpha3'] as const;

/** The best of the versions that are served; `undefined` when none is, or none that is known here. */
export function bestVersion(served: readonly string[]): string | undefined {
  return KNOWN.find((version) => served.includes(version));
}

/** A version of Kubernetes. */
export interface ServerVersion {
  readonly major: number;
  readonly minor: number;
}

/** What an administrator has to change so that DeviceTaintRule is served and obeyed, for a person. */
export function howToServe(server: ServerVersion | undefined): string {
  const { gates, runtimeConfig } = needed(server);
  return `no version of DeviceTaintRule (resource.k8s.io) is served, so new pods cannot be kept from the device. Start kube-apiserver, kube-scheduler and kube-controller-manager with ${gates}, and kube-apiserver with ${runtimeConfig}`;
}

/** From the history of the feature gates in pkg/features/kube_features.go and of the API in staging/src/k8s.io/api of 1.37. */
function needed(server: ServerVersion | undefined): { readonly gates: string; readonly runtimeConfig: string } {
  const minor = server?.major === 1 ? server.minor : undefined;
  const two = 'the feature gates DynamicResourceAllocation=true,DRADeviceTaints=true';
  if (minor === undefined) {
    return {
      gates: `${two} (and DRADeviceTaintRules=true from 1.35 on)`,
      runtimeConfig:
        '--runtime-config=resource.k8s.io/v1alpha3=true (before 1.36; resource.k8s.io/v1beta2=true on 1.36; later it is on by default)',
    };
  }
  const gates = minor < 35 ? two : `${two},DRADeviceTaintRules=true`;
  if (minor < 36) return { gates, runtimeConfig: '--runtime-config=resource.k8s.io/v1alpha3=true' };
  if (minor === 36) return { gates, runtimeConfig: '--runtime-config=resource.k8s.io/v1beta2=true' };
  return { gates, runtimeConfig: 'no --runtime-config that switches resource.k8s.io/v1/devicetaintrules off' };
}
