/** What a request was, for audits and counts. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly userAgent: string;
  /** HTTP status; undefined when the client got no answer. */
  readonly status: number | undefined;
  readonly verb: Verb;
  /** `plural` or `plural.group`; undefined for requests that are about no resource. */
  readonly resource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** True for requests that may change something; a dry run is none. */
  readonly isWrite: boolean;
  /** Milliseconds from the request to its answer; for a watch, to the head of the answer. */
  readonly durationMs: number;
}

/** What is done with a resource, in the words of Kubernetes' audit log. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection' | 'other';

/** Called for each request after it was answered. */
export type Observer = (seen: SeenRequest) => void;
