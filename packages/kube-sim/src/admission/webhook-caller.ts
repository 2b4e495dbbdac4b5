/** One call to a webhook. */
export interface WebhookCall {
  /** As error texts show it, with the `timeout` parameter. */
  readonly url: string;
  /** Where to connect, which for a service is not where the URL points. */
  readonly host: string;
  readonly port: number;
  /** The name that the certificate must have. */
  readonly serverName: string;
  /** PEM; undefined for the machine's own certificate authorities. */
  readonly caBundle: string | undefined;
  /** An AdmissionReview in JSON. */
  readonly body: string;
}

/** The webhook's answer, or why there is none. */
export type WebhookAnswer =
  | { readonly ok: true; readonly status: number; readonly body: string }
  | { readonly ok: false; readonly message: string };

/** Sends a call over the network. It gives up when `signal` aborts. */
export type WebhookCaller = (call: WebhookCall, signal: AbortSignal) => Promise<WebhookAnswer>;
