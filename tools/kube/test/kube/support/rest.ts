/** How long nothing may be written at rest, in milliseconds: CRO_KUBE_REST_SECONDS, else long enough for some sweeps of 3 s. */
export const REST_MS = Number(process.env['CRO_KUBE_REST_SECONDS'] ?? 15) * 1000;
