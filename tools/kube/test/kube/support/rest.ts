const SHORT_S = 15;

/** How long nothing may be written at rest, in milliseconds: long enough for five sweeps of 3 s. */
export const REST_MS = SHORT_S * 1000;

/** The same in the story: CRO_KUBE_REST_SECONDS, for what happens less often than sweeps do. */
export const STORY_REST_MS = Number(process.env['CRO_KUBE_REST_SECONDS'] ?? SHORT_S) * 1000;
